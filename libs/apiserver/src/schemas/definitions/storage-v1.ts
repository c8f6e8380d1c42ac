// Written by scripts/builtin-schemas.mjs.

export const storageV1 = `
storage.v1.CSIDriver {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@storage.v1.CSIDriverSpec="},"r":["spec"],"g":"storage.k8s.io/v1/CSIDriver"}
storage.v1.CSIDriverSpec {"p":{"attachRequired":"b","fsGroupPolicy":"s","nodeAllocatableUpdatePeriodSeconds":"l","podInfoOnMount":"b","preventPodSchedulingIfMissing":"b","requiresRepublish":"b","seLinuxMount":"b","serviceAccountTokenInSecrets":"b","storageCapacity":"b","tokenRequests":{"t":["@storage.v1.TokenRequest="],"l":"atomic"},"volumeLifecycleModes":{"t":["s="],"l":"set"}}}
storage.v1.CSINode {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@storage.v1.CSINodeSpec="},"r":["spec"],"g":"storage.k8s.io/v1/CSINode"}
storage.v1.CSINodeDriver {"p":{"allocatable":"@storage.v1.VolumeNodeResources","name":"s=","nodeID":"s=","topologyKeys":{"t":["s="],"l":"atomic"}},"r":["name","nodeID"]}
storage.v1.CSINodeSpec {"p":{"drivers":{"t":["@storage.v1.CSINodeDriver="],"l":"map","k":["name"],"key":"name","s":"merge"}},"r":["drivers"]}
storage.v1.CSIStorageCapacity {"p":{"apiVersion":"s","capacity":"@resource.Quantity","kind":"s","maximumVolumeSize":"@resource.Quantity","metadata":"@meta.v1.ObjectMeta=","nodeTopology":"@meta.v1.LabelSelector","storageClassName":"s="},"r":["storageClassName"],"g":"storage.k8s.io/v1/CSIStorageCapacity"}
storage.v1.StorageClass {"p":{"allowVolumeExpansion":"b","allowedTopologies":{"t":["@core.v1.TopologySelectorTerm="],"l":"atomic"},"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","mountOptions":{"t":["s="],"l":"atomic"},"parameters":{"*":"s="},"provisioner":"s=","reclaimPolicy":{"t":"s","e":["Delete","Recycle","Retain"]},"volumeBindingMode":{"t":"s","e":["Immediate","WaitForFirstConsumer"]}},"r":["provisioner"],"g":"storage.k8s.io/v1/StorageClass"}
storage.v1.TokenRequest {"p":{"audience":"s=","expirationSeconds":"l"},"r":["audience"]}
storage.v1.VolumeAttachment {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@storage.v1.VolumeAttachmentSpec=","status":"@storage.v1.VolumeAttachmentStatus="},"r":["spec"],"g":"storage.k8s.io/v1/VolumeAttachment"}
storage.v1.VolumeAttachmentSource {"p":{"inlineVolumeSpec":"@core.v1.PersistentVolumeSpec","persistentVolumeName":"s"}}
storage.v1.VolumeAttachmentSpec {"p":{"attacher":"s=","nodeName":"s=","source":"@storage.v1.VolumeAttachmentSource="},"r":["attacher","source","nodeName"]}
storage.v1.VolumeAttachmentStatus {"p":{"attachError":"@storage.v1.VolumeError","attached":"b=","attachmentMetadata":{"*":"s="},"detachError":"@storage.v1.VolumeError"},"r":["attached"]}
storage.v1.VolumeAttributesClass {"p":{"apiVersion":"s","driverName":"s=","kind":"s","metadata":"@meta.v1.ObjectMeta=","parameters":{"*":"s="}},"r":["driverName"],"g":"storage.k8s.io/v1/VolumeAttributesClass"}
storage.v1.VolumeError {"p":{"errorCode":"i","message":"s","time":"@meta.v1.Time"}}
storage.v1.VolumeNodeResources {"p":{"count":"i"}}
`;
