// Written by scripts/builtin-schemas.mjs.

export const appsV1: string = `
apps.v1.ControllerRevision {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","data":"@runtime.RawExtension","revision":"l=!"},"r":["revision"],"g":"apps/v1/ControllerRevision"}
apps.v1.DaemonSet {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@apps.v1.DaemonSetSpec=","status":"@apps.v1.DaemonSetStatus="},"g":"apps/v1/DaemonSet"}
apps.v1.DaemonSetCondition {"p":{"type":"s:v1.DaemonSetConditionType=!","status":"s:v1.ConditionStatus=!","lastTransitionTime":"@meta.v1.Time","reason":"s","message":"s"},"r":["type","status"]}
apps.v1.DaemonSetSpec {"p":{"selector":"@meta.v1.LabelSelector?!","template":"@core.v1.PodTemplateSpec=","updateStrategy":"@apps.v1.DaemonSetUpdateStrategy=","minReadySeconds":"i","revisionHistoryLimit":"i?"},"r":["selector","template"]}
apps.v1.DaemonSetStatus {"p":{"currentNumberScheduled":"i=!","numberMisscheduled":"i=!","desiredNumberScheduled":"i=!","numberReady":"i=!","observedGeneration":"l","updatedNumberScheduled":"i","numberAvailable":"i","numberUnavailable":"i","collisionCount":"i?","conditions":{"t":["@apps.v1.DaemonSetCondition="],"l":"map","k":["type"],"key":"type","s":"merge"}},"r":["currentNumberScheduled","numberMisscheduled","desiredNumberScheduled","numberReady"]}
apps.v1.DaemonSetUpdateStrategy {"p":{"type":{"t":"s:v1.DaemonSetUpdateStrategyType","e":["OnDelete","RollingUpdate"]},"rollingUpdate":"@apps.v1.RollingUpdateDaemonSet?"}}
apps.v1.Deployment {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@apps.v1.DeploymentSpec=","status":"@apps.v1.DeploymentStatus="},"g":"apps/v1/Deployment"}
apps.v1.DeploymentCondition {"p":{"type":"s:v1.DeploymentConditionType=!","status":"s:v1.ConditionStatus=!","lastUpdateTime":"@meta.v1.Time","lastTransitionTime":"@meta.v1.Time","reason":"s","message":"s"},"r":["type","status"]}
apps.v1.DeploymentSpec {"p":{"replicas":"i?","selector":"@meta.v1.LabelSelector?!","template":"@core.v1.PodTemplateSpec=","strategy":{"t":"@apps.v1.DeploymentStrategy=","s":"retainKeys"},"minReadySeconds":"i","revisionHistoryLimit":"i?","paused":"b","progressDeadlineSeconds":"i?"},"r":["selector","template"]}
apps.v1.DeploymentStatus {"p":{"observedGeneration":"l","replicas":"i","updatedReplicas":"i","readyReplicas":"i","availableReplicas":"i","unavailableReplicas":"i","terminatingReplicas":"i?","conditions":{"t":["@apps.v1.DeploymentCondition="],"l":"map","k":["type"],"key":"type","s":"merge"},"collisionCount":"i?"}}
apps.v1.DeploymentStrategy {"p":{"type":{"t":"s:v1.DeploymentStrategyType","e":["Recreate","RollingUpdate"]},"rollingUpdate":"@apps.v1.RollingUpdateDeployment?"}}
apps.v1.ReplicaSet {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@apps.v1.ReplicaSetSpec=","status":"@apps.v1.ReplicaSetStatus="},"g":"apps/v1/ReplicaSet"}
apps.v1.ReplicaSetCondition {"p":{"type":"s:v1.ReplicaSetConditionType=!","status":"s:v1.ConditionStatus=!","lastTransitionTime":"@meta.v1.Time","reason":"s","message":"s"},"r":["type","status"]}
apps.v1.ReplicaSetSpec {"p":{"replicas":"i?","minReadySeconds":"i","selector":"@meta.v1.LabelSelector?!","template":"@core.v1.PodTemplateSpec="},"r":["selector"]}
apps.v1.ReplicaSetStatus {"p":{"replicas":"i=!","fullyLabeledReplicas":"i","readyReplicas":"i","availableReplicas":"i","terminatingReplicas":"i?","observedGeneration":"l","conditions":{"t":["@apps.v1.ReplicaSetCondition="],"l":"map","k":["type"],"key":"type","s":"merge"}},"r":["replicas"]}
apps.v1.RollingUpdateDaemonSet {"p":{"maxUnavailable":"@intstr.IntOrString?","maxSurge":"@intstr.IntOrString?"}}
apps.v1.RollingUpdateDeployment {"p":{"maxUnavailable":"@intstr.IntOrString?","maxSurge":"@intstr.IntOrString?"}}
apps.v1.RollingUpdateStatefulSetStrategy {"p":{"partition":"i?","maxUnavailable":"@intstr.IntOrString?"}}
apps.v1.StatefulSet {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@apps.v1.StatefulSetSpec=","status":"@apps.v1.StatefulSetStatus="},"g":"apps/v1/StatefulSet"}
apps.v1.StatefulSetCondition {"p":{"type":"s:v1.StatefulSetConditionType=!","status":"s:v1.ConditionStatus=!","lastTransitionTime":"@meta.v1.Time","reason":"s","message":"s"},"r":["type","status"]}
apps.v1.StatefulSetOrdinals {"p":{"start":"i=!"}}
apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy {"p":{"whenDeleted":"s:v1.PersistentVolumeClaimRetentionPolicyType","whenScaled":"s:v1.PersistentVolumeClaimRetentionPolicyType"}}
apps.v1.StatefulSetSpec {"p":{"replicas":"i?","selector":"@meta.v1.LabelSelector?!","template":"@core.v1.PodTemplateSpec=","volumeClaimTemplates":{"t":["@core.v1.PersistentVolumeClaim="],"l":"atomic"},"serviceName":"s=!","podManagementPolicy":{"t":"s:v1.PodManagementPolicyType","e":["OrderedReady","Parallel"]},"updateStrategy":"@apps.v1.StatefulSetUpdateStrategy=","revisionHistoryLimit":"i?","minReadySeconds":"i","persistentVolumeClaimRetentionPolicy":"@apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy?","ordinals":"@apps.v1.StatefulSetOrdinals?"},"r":["selector","template"]}
apps.v1.StatefulSetStatus {"p":{"observedGeneration":"l","replicas":"i=!","readyReplicas":"i","currentReplicas":"i","updatedReplicas":"i","currentRevision":"s","updateRevision":"s","collisionCount":"i?","conditions":{"t":["@apps.v1.StatefulSetCondition="],"l":"map","k":["type"],"key":"type","s":"merge"},"availableReplicas":"i=!"},"r":["replicas"]}
apps.v1.StatefulSetUpdateStrategy {"p":{"type":{"t":"s:v1.StatefulSetUpdateStrategyType","e":["OnDelete","RollingUpdate"]},"rollingUpdate":"@apps.v1.RollingUpdateStatefulSetStrategy?"}}
`;
