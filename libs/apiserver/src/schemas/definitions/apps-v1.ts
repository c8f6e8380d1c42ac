// Written by scripts/builtin-schemas.mjs.

export const appsV1 = `
apps.v1.ControllerRevision {"p":{"apiVersion":"s","data":"@runtime.RawExtension","kind":"s","metadata":"@meta.v1.ObjectMeta=","revision":"l="},"r":["revision"],"g":"apps/v1/ControllerRevision"}
apps.v1.DaemonSet {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@apps.v1.DaemonSetSpec=","status":"@apps.v1.DaemonSetStatus="},"g":"apps/v1/DaemonSet"}
apps.v1.DaemonSetCondition {"p":{"lastTransitionTime":"@meta.v1.Time","message":"s","reason":"s","status":"s=","type":"s="},"r":["type","status"]}
apps.v1.DaemonSetSpec {"p":{"minReadySeconds":"i","revisionHistoryLimit":"i","selector":"@meta.v1.LabelSelector","template":"@core.v1.PodTemplateSpec=","updateStrategy":"@apps.v1.DaemonSetUpdateStrategy="},"r":["selector","template"]}
apps.v1.DaemonSetStatus {"p":{"collisionCount":"i","conditions":{"t":["@apps.v1.DaemonSetCondition="],"l":"map","k":["type"],"key":"type","s":"merge"},"currentNumberScheduled":"i=","desiredNumberScheduled":"i=","numberAvailable":"i","numberMisscheduled":"i=","numberReady":"i=","numberUnavailable":"i","observedGeneration":"l","updatedNumberScheduled":"i"},"r":["currentNumberScheduled","numberMisscheduled","desiredNumberScheduled","numberReady"]}
apps.v1.DaemonSetUpdateStrategy {"p":{"rollingUpdate":"@apps.v1.RollingUpdateDaemonSet","type":{"t":"s","e":["OnDelete","RollingUpdate"]}}}
apps.v1.Deployment {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@apps.v1.DeploymentSpec=","status":"@apps.v1.DeploymentStatus="},"g":"apps/v1/Deployment"}
apps.v1.DeploymentCondition {"p":{"lastTransitionTime":"@meta.v1.Time","lastUpdateTime":"@meta.v1.Time","message":"s","reason":"s","status":"s=","type":"s="},"r":["type","status"]}
apps.v1.DeploymentSpec {"p":{"minReadySeconds":"i","paused":"b","progressDeadlineSeconds":"i","replicas":"i","revisionHistoryLimit":"i","selector":"@meta.v1.LabelSelector","strategy":{"t":"@apps.v1.DeploymentStrategy=","s":"retainKeys"},"template":"@core.v1.PodTemplateSpec="},"r":["selector","template"]}
apps.v1.DeploymentStatus {"p":{"availableReplicas":"i","collisionCount":"i","conditions":{"t":["@apps.v1.DeploymentCondition="],"l":"map","k":["type"],"key":"type","s":"merge"},"observedGeneration":"l","readyReplicas":"i","replicas":"i","terminatingReplicas":"i","unavailableReplicas":"i","updatedReplicas":"i"}}
apps.v1.DeploymentStrategy {"p":{"rollingUpdate":"@apps.v1.RollingUpdateDeployment","type":{"t":"s","e":["Recreate","RollingUpdate"]}}}
apps.v1.ReplicaSet {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@apps.v1.ReplicaSetSpec=","status":"@apps.v1.ReplicaSetStatus="},"g":"apps/v1/ReplicaSet"}
apps.v1.ReplicaSetCondition {"p":{"lastTransitionTime":"@meta.v1.Time","message":"s","reason":"s","status":"s=","type":"s="},"r":["type","status"]}
apps.v1.ReplicaSetSpec {"p":{"minReadySeconds":"i","replicas":"i","selector":"@meta.v1.LabelSelector","template":"@core.v1.PodTemplateSpec="},"r":["selector"]}
apps.v1.ReplicaSetStatus {"p":{"availableReplicas":"i","conditions":{"t":["@apps.v1.ReplicaSetCondition="],"l":"map","k":["type"],"key":"type","s":"merge"},"fullyLabeledReplicas":"i","observedGeneration":"l","readyReplicas":"i","replicas":"i=","terminatingReplicas":"i"},"r":["replicas"]}
apps.v1.RollingUpdateDaemonSet {"p":{"maxSurge":"@intstr.IntOrString","maxUnavailable":"@intstr.IntOrString"}}
apps.v1.RollingUpdateDeployment {"p":{"maxSurge":"@intstr.IntOrString","maxUnavailable":"@intstr.IntOrString"}}
apps.v1.RollingUpdateStatefulSetStrategy {"p":{"maxUnavailable":"@intstr.IntOrString","partition":"i"}}
apps.v1.StatefulSet {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@apps.v1.StatefulSetSpec=","status":"@apps.v1.StatefulSetStatus="},"g":"apps/v1/StatefulSet"}
apps.v1.StatefulSetCondition {"p":{"lastTransitionTime":"@meta.v1.Time","message":"s","reason":"s","status":"s=","type":"s="},"r":["type","status"]}
apps.v1.StatefulSetOrdinals {"p":{"start":"i="}}
apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy {"p":{"whenDeleted":"s","whenScaled":"s"}}
apps.v1.StatefulSetSpec {"p":{"minReadySeconds":"i","ordinals":"@apps.v1.StatefulSetOrdinals","persistentVolumeClaimRetentionPolicy":"@apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy","podManagementPolicy":{"t":"s","e":["OrderedReady","Parallel"]},"replicas":"i","revisionHistoryLimit":"i","selector":"@meta.v1.LabelSelector","serviceName":"s=","template":"@core.v1.PodTemplateSpec=","updateStrategy":"@apps.v1.StatefulSetUpdateStrategy=","volumeClaimTemplates":{"t":["@core.v1.PersistentVolumeClaim="],"l":"atomic"}},"r":["selector","template"]}
apps.v1.StatefulSetStatus {"p":{"availableReplicas":"i=","collisionCount":"i","conditions":{"t":["@apps.v1.StatefulSetCondition="],"l":"map","k":["type"],"key":"type","s":"merge"},"currentReplicas":"i","currentRevision":"s","observedGeneration":"l","readyReplicas":"i","replicas":"i=","updateRevision":"s","updatedReplicas":"i"},"r":["replicas"]}
apps.v1.StatefulSetUpdateStrategy {"p":{"rollingUpdate":"@apps.v1.RollingUpdateStatefulSetStrategy","type":{"t":"s","e":["OnDelete","RollingUpdate"]}}}
`;
