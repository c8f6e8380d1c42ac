// Written by scripts/builtin-schemas.mjs.

export const autoscalingV2: string = `
autoscaling.v2.ContainerResourceMetricSource {"p":{"name":"s:v1.ResourceName=!","target":"@autoscaling.v2.MetricTarget=","container":"s=!"},"r":["name","target","container"]}
autoscaling.v2.ContainerResourceMetricStatus {"p":{"name":"s:v1.ResourceName=!","current":"@autoscaling.v2.MetricValueStatus=","container":"s=!"},"r":["name","current","container"]}
autoscaling.v2.CrossVersionObjectReference {"p":{"kind":"s=!","name":"s=!","apiVersion":"s"},"r":["kind","name"]}
autoscaling.v2.ExternalMetricSource {"p":{"metric":"@autoscaling.v2.MetricIdentifier=","target":"@autoscaling.v2.MetricTarget="},"r":["metric","target"]}
autoscaling.v2.ExternalMetricStatus {"p":{"metric":"@autoscaling.v2.MetricIdentifier=","current":"@autoscaling.v2.MetricValueStatus="},"r":["metric","current"]}
autoscaling.v2.HPAScalingPolicy {"p":{"type":"s:v2.HPAScalingPolicyType=!","value":"i=!","periodSeconds":"i=!"},"r":["type","value","periodSeconds"]}
autoscaling.v2.HPAScalingRules {"p":{"stabilizationWindowSeconds":"i?","selectPolicy":"s:v2.ScalingPolicySelect?","policies":{"t":["@autoscaling.v2.HPAScalingPolicy="],"l":"atomic"},"tolerance":"@resource.Quantity?"}}
autoscaling.v2.HorizontalPodAutoscaler {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@autoscaling.v2.HorizontalPodAutoscalerSpec=","status":"@autoscaling.v2.HorizontalPodAutoscalerStatus="},"r":["spec"],"g":"autoscaling/v2/HorizontalPodAutoscaler"}
autoscaling.v2.HorizontalPodAutoscalerBehavior {"p":{"scaleUp":"@autoscaling.v2.HPAScalingRules?","scaleDown":"@autoscaling.v2.HPAScalingRules?"}}
autoscaling.v2.HorizontalPodAutoscalerCondition {"p":{"type":"s:v2.HorizontalPodAutoscalerConditionType=!","status":"s:v1.ConditionStatus=!","lastTransitionTime":"@meta.v1.Time","reason":"s","message":"s"},"r":["type","status"]}
autoscaling.v2.HorizontalPodAutoscalerSpec {"p":{"scaleTargetRef":"@autoscaling.v2.CrossVersionObjectReference=","minReplicas":"i?","maxReplicas":"i=!","metrics":{"t":["@autoscaling.v2.MetricSpec="],"l":"atomic"},"behavior":"@autoscaling.v2.HorizontalPodAutoscalerBehavior?"},"r":["scaleTargetRef","maxReplicas"]}
autoscaling.v2.HorizontalPodAutoscalerStatus {"p":{"observedGeneration":"l?","lastScaleTime":"@meta.v1.Time?","currentReplicas":"i","desiredReplicas":"i=!","currentMetrics":{"t":["@autoscaling.v2.MetricStatus="],"l":"atomic","n":1},"conditions":{"t":["@autoscaling.v2.HorizontalPodAutoscalerCondition="],"l":"map","k":["type"],"key":"type","s":"merge"}},"r":["desiredReplicas"]}
autoscaling.v2.MetricIdentifier {"p":{"name":"s=!","selector":"@meta.v1.LabelSelector?"},"r":["name"]}
autoscaling.v2.MetricSpec {"p":{"type":"s:v2.MetricSourceType=!","object":"@autoscaling.v2.ObjectMetricSource?","pods":"@autoscaling.v2.PodsMetricSource?","resource":"@autoscaling.v2.ResourceMetricSource?","containerResource":"@autoscaling.v2.ContainerResourceMetricSource?","external":"@autoscaling.v2.ExternalMetricSource?"},"r":["type"]}
autoscaling.v2.MetricStatus {"p":{"type":"s:v2.MetricSourceType=!","object":"@autoscaling.v2.ObjectMetricStatus?","pods":"@autoscaling.v2.PodsMetricStatus?","resource":"@autoscaling.v2.ResourceMetricStatus?","containerResource":"@autoscaling.v2.ContainerResourceMetricStatus?","external":"@autoscaling.v2.ExternalMetricStatus?"},"r":["type"]}
autoscaling.v2.MetricTarget {"p":{"type":"s:v2.MetricTargetType=!","value":"@resource.Quantity?","averageValue":"@resource.Quantity?","averageUtilization":"i?"},"r":["type"]}
autoscaling.v2.MetricValueStatus {"p":{"value":"@resource.Quantity?","averageValue":"@resource.Quantity?","averageUtilization":"i?"}}
autoscaling.v2.ObjectMetricSource {"p":{"describedObject":"@autoscaling.v2.CrossVersionObjectReference=","target":"@autoscaling.v2.MetricTarget=","metric":"@autoscaling.v2.MetricIdentifier="},"r":["describedObject","target","metric"]}
autoscaling.v2.ObjectMetricStatus {"p":{"metric":"@autoscaling.v2.MetricIdentifier=","current":"@autoscaling.v2.MetricValueStatus=","describedObject":"@autoscaling.v2.CrossVersionObjectReference="},"r":["metric","current","describedObject"]}
autoscaling.v2.PodsMetricSource {"p":{"metric":"@autoscaling.v2.MetricIdentifier=","target":"@autoscaling.v2.MetricTarget="},"r":["metric","target"]}
autoscaling.v2.PodsMetricStatus {"p":{"metric":"@autoscaling.v2.MetricIdentifier=","current":"@autoscaling.v2.MetricValueStatus="},"r":["metric","current"]}
autoscaling.v2.ResourceMetricSource {"p":{"name":"s:v1.ResourceName=!","target":"@autoscaling.v2.MetricTarget="},"r":["name","target"]}
autoscaling.v2.ResourceMetricStatus {"p":{"name":"s:v1.ResourceName=!","current":"@autoscaling.v2.MetricValueStatus="},"r":["name","current"]}
`;
