// Written by scripts/builtin-schemas.mjs.

export const autoscalingV1 = `
autoscaling.v1.CrossVersionObjectReference {"p":{"apiVersion":"s","kind":"s=","name":"s="},"r":["kind","name"],"m":"atomic"}
autoscaling.v1.HorizontalPodAutoscaler {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@autoscaling.v1.HorizontalPodAutoscalerSpec=","status":"@autoscaling.v1.HorizontalPodAutoscalerStatus="},"r":["spec"],"g":"autoscaling/v1/HorizontalPodAutoscaler"}
autoscaling.v1.HorizontalPodAutoscalerSpec {"p":{"maxReplicas":"i=","minReplicas":"i","scaleTargetRef":"@autoscaling.v1.CrossVersionObjectReference=","targetCPUUtilizationPercentage":"i"},"r":["scaleTargetRef","maxReplicas"]}
autoscaling.v1.HorizontalPodAutoscalerStatus {"p":{"currentCPUUtilizationPercentage":"i","currentReplicas":"i=","desiredReplicas":"i=","lastScaleTime":"@meta.v1.Time","observedGeneration":"l"},"r":["currentReplicas","desiredReplicas"]}
autoscaling.v1.Scale {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@autoscaling.v1.ScaleSpec=","status":"@autoscaling.v1.ScaleStatus="},"g":"autoscaling/v1/Scale"}
autoscaling.v1.ScaleSpec {"p":{"replicas":"i="}}
autoscaling.v1.ScaleStatus {"p":{"replicas":"i=","selector":"s"},"r":["replicas"]}
`;
