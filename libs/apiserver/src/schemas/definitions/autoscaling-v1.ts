// Written by scripts/builtin-schemas.mjs.

export const autoscalingV1: string = `
autoscaling.v1.CrossVersionObjectReference {"p":{"kind":"s=!","name":"s=!","apiVersion":"s"},"r":["kind","name"],"m":"atomic"}
autoscaling.v1.HorizontalPodAutoscaler {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@autoscaling.v1.HorizontalPodAutoscalerSpec=","status":"@autoscaling.v1.HorizontalPodAutoscalerStatus="},"r":["spec"],"g":"autoscaling/v1/HorizontalPodAutoscaler"}
autoscaling.v1.HorizontalPodAutoscalerSpec {"p":{"scaleTargetRef":"@autoscaling.v1.CrossVersionObjectReference=","minReplicas":"i?","maxReplicas":"i=!","targetCPUUtilizationPercentage":"i?"},"r":["scaleTargetRef","maxReplicas"]}
autoscaling.v1.HorizontalPodAutoscalerStatus {"p":{"observedGeneration":"l?","lastScaleTime":"@meta.v1.Time?","currentReplicas":"i=!","desiredReplicas":"i=!","currentCPUUtilizationPercentage":"i?"},"r":["currentReplicas","desiredReplicas"]}
autoscaling.v1.Scale {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@autoscaling.v1.ScaleSpec=","status":"@autoscaling.v1.ScaleStatus="},"g":"autoscaling/v1/Scale"}
autoscaling.v1.ScaleSpec {"p":{"replicas":"i="}}
autoscaling.v1.ScaleStatus {"p":{"replicas":"i=!","selector":"s"},"r":["replicas"]}
`;
