// Written by scripts/builtin-schemas.mjs.

export const storageV1: string = `
storage.v1.CSIDriver {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@storage.v1.CSIDriverSpec="},"r":["spec"],"g":"storage.k8s.io/v1/CSIDriver"}
storage.v1.CSIDriverSpec {"p":{"attachRequired":"b?","podInfoOnMount":"b?","volumeLifecycleModes":{"t":["s:v1.VolumeLifecycleMode="],"l":"set"},"storageCapacity":"b?","fsGroupPolicy":"s:v1.FSGroupPolicy?","tokenRequests":{"t":["@storage.v1.TokenRequest="],"l":"atomic"},"requiresRepublish":"b?","seLinuxMount":"b?","nodeAllocatableUpdatePeriodSeconds":"l?","serviceAccountTokenInSecrets":"b?","preventPodSchedulingIfMissing":"b?"}}
storage.v1.CSINode {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@storage.v1.CSINodeSpec="},"r":["spec"],"g":"storage.k8s.io/v1/CSINode"}
storage.v1.CSINodeDriver {"p":{"name":"s=!","nodeID":"s=!","topologyKeys":{"t":["s="],"l":"atomic","n":1},"allocatable":"@storage.v1.VolumeNodeResources?"},"r":["name","nodeID"]}
storage.v1.CSINodeSpec {"p":{"drivers":{"t":["@storage.v1.CSINodeDriver="],"l":"map","k":["name"],"key":"name","s":"merge","n":1}},"r":["drivers"]}
storage.v1.CSIStorageCapacity {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","nodeTopology":"@meta.v1.LabelSelector?","storageClassName":"s=!","capacity":"@resource.Quantity?","maximumVolumeSize":"@resource.Quantity?"},"r":["storageClassName"],"g":"storage.k8s.io/v1/CSIStorageCapacity"}
storage.v1.StorageClass {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","provisioner":"s=!","parameters":{"*":"s="},"reclaimPolicy":{"t":"s:v1.PersistentVolumeReclaimPolicy?","e":["Delete","Recycle","Retain"]},"mountOptions":{"t":["s="],"l":"atomic"},"allowVolumeExpansion":"b?","volumeBindingMode":{"t":"s:v1.VolumeBindingMode?","e":["Immediate","WaitForFirstConsumer"]},"allowedTopologies":{"t":["@core.v1.TopologySelectorTerm="],"l":"atomic"}},"r":["provisioner"],"g":"storage.k8s.io/v1/StorageClass"}
storage.v1.TokenRequest {"p":{"audience":"s=!","expirationSeconds":"l?"},"r":["audience"]}
storage.v1.VolumeAttachment {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@storage.v1.VolumeAttachmentSpec=","status":"@storage.v1.VolumeAttachmentStatus="},"r":["spec"],"g":"storage.k8s.io/v1/VolumeAttachment"}
storage.v1.VolumeAttachmentSource {"p":{"persistentVolumeName":"s?","inlineVolumeSpec":"@core.v1.PersistentVolumeSpec?"}}
storage.v1.VolumeAttachmentSpec {"p":{"attacher":"s=!","source":"@storage.v1.VolumeAttachmentSource=","nodeName":"s=!"},"r":["attacher","source","nodeName"]}
storage.v1.VolumeAttachmentStatus {"p":{"attached":"b=!","attachmentMetadata":{"*":"s="},"attachError":"@storage.v1.VolumeError?","detachError":"@storage.v1.VolumeError?"},"r":["attached"]}
storage.v1.VolumeAttributesClass {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","driverName":"s=!","parameters":{"*":"s="}},"r":["driverName"],"g":"storage.k8s.io/v1/VolumeAttributesClass"}
storage.v1.VolumeError {"p":{"time":"@meta.v1.Time","message":"s","errorCode":"i?"}}
storage.v1.VolumeNodeResources {"p":{"count":"i?"}}
`;
