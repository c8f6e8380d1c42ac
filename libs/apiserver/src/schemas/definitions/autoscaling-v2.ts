// Written by scripts/builtin-schemas.mjs.

export const autoscalingV2 = `
autoscaling.v2.ContainerResourceMetricSource {"p":{"container":"s=","name":"s=","target":"@autoscaling.v2.MetricTarget="},"r":["name","target","container"]}
autoscaling.v2.ContainerResourceMetricStatus {"p":{"container":"s=","current":"@autoscaling.v2.MetricValueStatus=","name":"s="},"r":["name","current","container"]}
autoscaling.v2.CrossVersionObjectReference {"p":{"apiVersion":"s","kind":"s=","name":"s="},"r":["kind","name"]}
autoscaling.v2.ExternalMetricSource {"p":{"metric":"@autoscaling.v2.MetricIdentifier=","target":"@autoscaling.v2.MetricTarget="},"r":["metric","target"]}
autoscaling.v2.ExternalMetricStatus {"p":{"current":"@autoscaling.v2.MetricValueStatus=","metric":"@autoscaling.v2.MetricIdentifier="},"r":["metric","current"]}
autoscaling.v2.HPAScalingPolicy {"p":{"periodSeconds":"i=","type":"s=","value":"i="},"r":["type","value","periodSeconds"]}
autoscaling.v2.HPAScalingRules {"p":{"policies":{"t":["@autoscaling.v2.HPAScalingPolicy="],"l":"atomic"},"selectPolicy":"s","stabilizationWindowSeconds":"i","tolerance":"@resource.Quantity"}}
autoscaling.v2.HorizontalPodAutoscaler {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@autoscaling.v2.HorizontalPodAutoscalerSpec=","status":"@autoscaling.v2.HorizontalPodAutoscalerStatus="},"r":["spec"],"g":"autoscaling/v2/HorizontalPodAutoscaler"}
autoscaling.v2.HorizontalPodAutoscalerBehavior {"p":{"scaleDown":"@autoscaling.v2.HPAScalingRules","scaleUp":"@autoscaling.v2.HPAScalingRules"}}
autoscaling.v2.HorizontalPodAutoscalerCondition {"p":{"lastTransitionTime":"@meta.v1.Time","message":"s","reason":"s","status":"s=","type":"s="},"r":["type","status"]}
autoscaling.v2.HorizontalPodAutoscalerSpec {"p":{"behavior":"@autoscaling.v2.HorizontalPodAutoscalerBehavior","maxReplicas":"i=","metrics":{"t":["@autoscaling.v2.MetricSpec="],"l":"atomic"},"minReplicas":"i","scaleTargetRef":"@autoscaling.v2.CrossVersionObjectReference="},"r":["scaleTargetRef","maxReplicas"]}
autoscaling.v2.HorizontalPodAutoscalerStatus {"p":{"conditions":{"t":["@autoscaling.v2.HorizontalPodAutoscalerCondition="],"l":"map","k":["type"],"key":"type","s":"merge"},"currentMetrics":{"t":["@autoscaling.v2.MetricStatus="],"l":"atomic"},"currentReplicas":"i","desiredReplicas":"i=","lastScaleTime":"@meta.v1.Time","observedGeneration":"l"},"r":["desiredReplicas"]}
autoscaling.v2.MetricIdentifier {"p":{"name":"s=","selector":"@meta.v1.LabelSelector"},"r":["name"]}
autoscaling.v2.MetricSpec {"p":{"containerResource":"@autoscaling.v2.ContainerResourceMetricSource","external":"@autoscaling.v2.ExternalMetricSource","object":"@autoscaling.v2.ObjectMetricSource","pods":"@autoscaling.v2.PodsMetricSource","resource":"@autoscaling.v2.ResourceMetricSource","type":"s="},"r":["type"]}
autoscaling.v2.MetricStatus {"p":{"containerResource":"@autoscaling.v2.ContainerResourceMetricStatus","external":"@autoscaling.v2.ExternalMetricStatus","object":"@autoscaling.v2.ObjectMetricStatus","pods":"@autoscaling.v2.PodsMetricStatus","resource":"@autoscaling.v2.ResourceMetricStatus","type":"s="},"r":["type"]}
autoscaling.v2.MetricTarget {"p":{"averageUtilization":"i","averageValue":"@resource.Quantity","type":"s=","value":"@resource.Quantity"},"r":["type"]}
autoscaling.v2.MetricValueStatus {"p":{"averageUtilization":"i","averageValue":"@resource.Quantity","value":"@resource.Quantity"}}
autoscaling.v2.ObjectMetricSource {"p":{"describedObject":"@autoscaling.v2.CrossVersionObjectReference=","metric":"@autoscaling.v2.MetricIdentifier=","target":"@autoscaling.v2.MetricTarget="},"r":["describedObject","target","metric"]}
autoscaling.v2.ObjectMetricStatus {"p":{"current":"@autoscaling.v2.MetricValueStatus=","describedObject":"@autoscaling.v2.CrossVersionObjectReference=","metric":"@autoscaling.v2.MetricIdentifier="},"r":["metric","current","describedObject"]}
autoscaling.v2.PodsMetricSource {"p":{"metric":"@autoscaling.v2.MetricIdentifier=","target":"@autoscaling.v2.MetricTarget="},"r":["metric","target"]}
autoscaling.v2.PodsMetricStatus {"p":{"current":"@autoscaling.v2.MetricValueStatus=","metric":"@autoscaling.v2.MetricIdentifier="},"r":["metric","current"]}
autoscaling.v2.ResourceMetricSource {"p":{"name":"s=","target":"@autoscaling.v2.MetricTarget="},"r":["name","target"]}
autoscaling.v2.ResourceMetricStatus {"p":{"current":"@autoscaling.v2.MetricValueStatus=","name":"s="},"r":["name","current"]}
`;
