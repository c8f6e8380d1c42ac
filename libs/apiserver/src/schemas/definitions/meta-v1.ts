// Written by scripts/builtin-schemas.mjs.

export const metaV1: string = `
meta.v1.APIResource {"p":{"name":"s=!","singularName":"s=!","namespaced":"b=!","group":"s","version":"s","kind":"s=!","verbs":{"t":["s="],"n":1,"go":"v1.Verbs"},"shortNames":{"t":["s="],"l":"atomic"},"categories":{"t":["s="],"l":"atomic"},"storageVersionHash":"s"},"r":["name","singularName","namespaced","kind","verbs"]}
meta.v1.APIResourceList {"p":{"kind":"s","apiVersion":"s","groupVersion":"s=!","resources":{"t":["@meta.v1.APIResource="],"l":"atomic","n":1}},"r":["groupVersion","resources"],"g":"/v1/APIResourceList"}
meta.v1.Condition {"p":{"type":"s=!","status":"s:v1.ConditionStatus=!","observedGeneration":"l","lastTransitionTime":"@meta.v1.Time","reason":"s=!","message":"s=!"},"r":["type","status","lastTransitionTime","reason","message"]}
meta.v1.DeleteOptions {"p":{"kind":"s","apiVersion":"s","gracePeriodSeconds":"l?","preconditions":"@meta.v1.Preconditions?","orphanDependents":"b?","propagationPolicy":"s:v1.DeletionPropagation?","dryRun":{"t":["s="],"l":"atomic"},"ignoreStoreReadErrorWithClusterBreakingPotential":"b?"}}
meta.v1.FieldSelectorRequirement {"p":{"key":"s=!","operator":"s:v1.FieldSelectorOperator=!","values":{"t":["s="],"l":"atomic"}},"r":["key","operator"]}
meta.v1.FieldsV1 "o"
meta.v1.LabelSelector {"p":{"matchLabels":{"*":"s="},"matchExpressions":{"t":["@meta.v1.LabelSelectorRequirement="],"l":"atomic"}},"m":"atomic"}
meta.v1.LabelSelectorRequirement {"p":{"key":"s=!","operator":"s:v1.LabelSelectorOperator=!","values":{"t":["s="],"l":"atomic"}},"r":["key","operator"]}
meta.v1.ListMeta {"p":{"selfLink":"s","resourceVersion":"s","continue":"s","remainingItemCount":"l?","shardInfo":"@meta.v1.ShardInfo?"}}
meta.v1.ManagedFieldsEntry {"p":{"manager":"s","operation":"s:v1.ManagedFieldsOperationType","apiVersion":"s","time":"@meta.v1.Time?","fieldsType":"s","fieldsV1":"@meta.v1.FieldsV1?","subresource":"s"}}
meta.v1.MicroTime "t"
meta.v1.ObjectMeta {"p":{"name":"s","generateName":"s","namespace":"s","selfLink":"s","uid":"s:types.UID","resourceVersion":"s","generation":"l","creationTimestamp":"@meta.v1.Time~","deletionTimestamp":"@meta.v1.Time?","deletionGracePeriodSeconds":"l?","labels":{"*":"s="},"annotations":{"*":"s="},"ownerReferences":{"t":["@meta.v1.OwnerReference="],"l":"map","k":["uid"],"key":"uid","s":"merge"},"finalizers":{"t":["s="],"l":"set","s":"merge"},"managedFields":{"t":["@meta.v1.ManagedFieldsEntry="],"l":"atomic"}}}
meta.v1.OwnerReference {"p":{"apiVersion":"s=!","kind":"s=!","name":"s=!","uid":"s:types.UID=!","controller":"b?","blockOwnerDeletion":"b?"},"r":["apiVersion","kind","name","uid"],"m":"atomic"}
meta.v1.Patch "o"
meta.v1.Preconditions {"p":{"uid":"s:types.UID?","resourceVersion":"s?"}}
meta.v1.ShardInfo {"p":{"selector":"s=!"},"r":["selector"]}
meta.v1.Status {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ListMeta=","status":"s","message":"s","reason":"s:v1.StatusReason","details":"@meta.v1.StatusDetails?","code":"i"},"g":"/v1/Status"}
meta.v1.StatusCause {"p":{"reason":"s:v1.CauseType","message":"s","field":"s"}}
meta.v1.StatusDetails {"p":{"name":"s","group":"s","kind":"s","uid":"s:types.UID","causes":{"t":["@meta.v1.StatusCause="],"l":"atomic"},"retryAfterSeconds":"i"}}
meta.v1.Time "t"
meta.v1.WatchEvent {"p":{"type":"s=!","object":"@runtime.RawExtension"},"r":["type","object"]}
`;
