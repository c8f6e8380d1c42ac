// Written by scripts/builtin-schemas.mjs.

export const metaV1 = `
meta.v1.APIResource {"p":{"categories":{"t":["s="],"l":"atomic"},"group":"s","kind":"s=","name":"s=","namespaced":"b=","shortNames":{"t":["s="],"l":"atomic"},"singularName":"s=","storageVersionHash":"s","verbs":["s="],"version":"s"},"r":["name","singularName","namespaced","kind","verbs"]}
meta.v1.APIResourceList {"p":{"apiVersion":"s","groupVersion":"s=","kind":"s","resources":{"t":["@meta.v1.APIResource="],"l":"atomic"}},"r":["groupVersion","resources"],"g":"/v1/APIResourceList"}
meta.v1.Condition {"p":{"lastTransitionTime":"@meta.v1.Time","message":"s=","observedGeneration":"l","reason":"s=","status":"s=","type":"s="},"r":["type","status","lastTransitionTime","reason","message"]}
meta.v1.DeleteOptions {"p":{"apiVersion":"s","dryRun":{"t":["s="],"l":"atomic"},"gracePeriodSeconds":"l","ignoreStoreReadErrorWithClusterBreakingPotential":"b","kind":"s","orphanDependents":"b","preconditions":"@meta.v1.Preconditions","propagationPolicy":"s"}}
meta.v1.FieldSelectorRequirement {"p":{"key":"s=","operator":"s=","values":{"t":["s="],"l":"atomic"}},"r":["key","operator"]}
meta.v1.FieldsV1 "o"
meta.v1.LabelSelector {"p":{"matchExpressions":{"t":["@meta.v1.LabelSelectorRequirement="],"l":"atomic"},"matchLabels":{"*":"s="}},"m":"atomic"}
meta.v1.LabelSelectorRequirement {"p":{"key":"s=","operator":"s=","values":{"t":["s="],"l":"atomic"}},"r":["key","operator"]}
meta.v1.ListMeta {"p":{"continue":"s","remainingItemCount":"l","resourceVersion":"s","selfLink":"s","shardInfo":"@meta.v1.ShardInfo"}}
meta.v1.ManagedFieldsEntry {"p":{"apiVersion":"s","fieldsType":"s","fieldsV1":"@meta.v1.FieldsV1","manager":"s","operation":"s","subresource":"s","time":"@meta.v1.Time"}}
meta.v1.MicroTime "t"
meta.v1.ObjectMeta {"p":{"annotations":{"*":"s="},"creationTimestamp":"@meta.v1.Time","deletionGracePeriodSeconds":"l","deletionTimestamp":"@meta.v1.Time","finalizers":{"t":["s="],"l":"set","s":"merge"},"generateName":"s","generation":"l","labels":{"*":"s="},"managedFields":{"t":["@meta.v1.ManagedFieldsEntry="],"l":"atomic"},"name":"s","namespace":"s","ownerReferences":{"t":["@meta.v1.OwnerReference="],"l":"map","k":["uid"],"key":"uid","s":"merge"},"resourceVersion":"s","selfLink":"s","uid":"s"}}
meta.v1.OwnerReference {"p":{"apiVersion":"s=","blockOwnerDeletion":"b","controller":"b","kind":"s=","name":"s=","uid":"s="},"r":["apiVersion","kind","name","uid"],"m":"atomic"}
meta.v1.Patch "o"
meta.v1.Preconditions {"p":{"resourceVersion":"s","uid":"s"}}
meta.v1.ShardInfo {"p":{"selector":"s="},"r":["selector"]}
meta.v1.Status {"p":{"apiVersion":"s","code":"i","details":"@meta.v1.StatusDetails","kind":"s","message":"s","metadata":"@meta.v1.ListMeta=","reason":"s","status":"s"},"g":"/v1/Status"}
meta.v1.StatusCause {"p":{"field":"s","message":"s","reason":"s"}}
meta.v1.StatusDetails {"p":{"causes":{"t":["@meta.v1.StatusCause="],"l":"atomic"},"group":"s","kind":"s","name":"s","retryAfterSeconds":"i","uid":"s"}}
meta.v1.Time "t"
meta.v1.WatchEvent {"p":{"object":"@runtime.RawExtension","type":"s="},"r":["type","object"]}
`;
