// Written by scripts/builtin-schemas.mjs.

export const apiextensionsV1 = `
apiextensions.v1.CustomResourceColumnDefinition {"p":{"description":"s","format":"s","jsonPath":"s=","name":"s=","priority":"i","type":"s="},"r":["name","type","jsonPath"]}
apiextensions.v1.CustomResourceConversion {"p":{"strategy":"s=","webhook":"@apiextensions.v1.WebhookConversion"},"r":["strategy"]}
apiextensions.v1.CustomResourceDefinition {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@apiextensions.v1.CustomResourceDefinitionSpec=","status":"@apiextensions.v1.CustomResourceDefinitionStatus="},"r":["spec"],"g":"apiextensions.k8s.io/v1/CustomResourceDefinition"}
apiextensions.v1.CustomResourceDefinitionCondition {"p":{"lastTransitionTime":"@meta.v1.Time","message":"s","observedGeneration":"l","reason":"s","status":"s=","type":"s="},"r":["type","status"]}
apiextensions.v1.CustomResourceDefinitionNames {"p":{"categories":{"t":["s="],"l":"atomic"},"kind":"s=","listKind":"s","plural":"s=","shortNames":{"t":["s="],"l":"atomic"},"singular":"s"},"r":["plural","kind"]}
apiextensions.v1.CustomResourceDefinitionSpec {"p":{"conversion":"@apiextensions.v1.CustomResourceConversion","group":"s=","names":"@apiextensions.v1.CustomResourceDefinitionNames=","preserveUnknownFields":"b","scope":"s=","versions":{"t":["@apiextensions.v1.CustomResourceDefinitionVersion="],"l":"atomic"}},"r":["group","names","scope","versions"]}
apiextensions.v1.CustomResourceDefinitionStatus {"p":{"acceptedNames":"@apiextensions.v1.CustomResourceDefinitionNames=","conditions":{"t":["@apiextensions.v1.CustomResourceDefinitionCondition="],"l":"map","k":["type"]},"observedGeneration":"l","storedVersions":{"t":["s="],"l":"atomic"}}}
apiextensions.v1.CustomResourceDefinitionVersion {"p":{"additionalPrinterColumns":{"t":["@apiextensions.v1.CustomResourceColumnDefinition="],"l":"atomic"},"deprecated":"b","deprecationWarning":"s","name":"s=","schema":"@apiextensions.v1.CustomResourceValidation","selectableFields":{"t":["@apiextensions.v1.SelectableField="],"l":"atomic"},"served":"b=","storage":"b=","subresources":"@apiextensions.v1.CustomResourceSubresources"},"r":["name","served","storage"]}
apiextensions.v1.CustomResourceSubresourceScale {"p":{"labelSelectorPath":"s","specReplicasPath":"s=","statusReplicasPath":"s="},"r":["specReplicasPath","statusReplicasPath"]}
apiextensions.v1.CustomResourceSubresourceStatus "o"
apiextensions.v1.CustomResourceSubresources {"p":{"scale":"@apiextensions.v1.CustomResourceSubresourceScale","status":"@apiextensions.v1.CustomResourceSubresourceStatus"}}
apiextensions.v1.CustomResourceValidation {"p":{"openAPIV3Schema":"@apiextensions.v1.JSONSchemaProps"}}
apiextensions.v1.ExternalDocumentation {"p":{"description":"s","url":"s"}}
apiextensions.v1.JSON "*"
apiextensions.v1.JSONSchemaProps {"p":{"$ref":"s","$schema":"s","additionalItems":"@apiextensions.v1.JSONSchemaPropsOrBool","additionalProperties":"@apiextensions.v1.JSONSchemaPropsOrBool","allOf":{"t":["@apiextensions.v1.JSONSchemaProps="],"l":"atomic"},"anyOf":{"t":["@apiextensions.v1.JSONSchemaProps="],"l":"atomic"},"default":"@apiextensions.v1.JSON","definitions":{"*":"@apiextensions.v1.JSONSchemaProps="},"dependencies":{"*":"@apiextensions.v1.JSONSchemaPropsOrStringArray"},"description":"s","enum":{"t":["@apiextensions.v1.JSON"],"l":"atomic"},"example":"@apiextensions.v1.JSON","exclusiveMaximum":"b","exclusiveMinimum":"b","externalDocs":"@apiextensions.v1.ExternalDocumentation","format":"s","id":"s","items":"@apiextensions.v1.JSONSchemaPropsOrArray","maxItems":"l","maxLength":"l","maxProperties":"l","maximum":"n","minItems":"l","minLength":"l","minProperties":"l","minimum":"n","multipleOf":"n","not":"@apiextensions.v1.JSONSchemaProps","nullable":"b","oneOf":{"t":["@apiextensions.v1.JSONSchemaProps="],"l":"atomic"},"pattern":"s","patternProperties":{"*":"@apiextensions.v1.JSONSchemaProps="},"properties":{"*":"@apiextensions.v1.JSONSchemaProps="},"required":{"t":["s="],"l":"atomic"},"title":"s","type":"s","uniqueItems":"b","x-kubernetes-embedded-resource":"b","x-kubernetes-int-or-string":"b","x-kubernetes-list-map-keys":{"t":["s="],"l":"atomic"},"x-kubernetes-list-type":"s","x-kubernetes-map-type":"s","x-kubernetes-preserve-unknown-fields":"b","x-kubernetes-validations":{"t":["@apiextensions.v1.ValidationRule="],"l":"map","k":["rule"],"key":"rule","s":"merge"}}}
apiextensions.v1.JSONSchemaPropsOrArray "*"
apiextensions.v1.JSONSchemaPropsOrBool "*"
apiextensions.v1.JSONSchemaPropsOrStringArray "*"
apiextensions.v1.SelectableField {"p":{"jsonPath":"s="},"r":["jsonPath"]}
apiextensions.v1.ServiceReference {"p":{"name":"s=","namespace":"s=","path":"s","port":"i"},"r":["namespace","name"]}
apiextensions.v1.ValidationRule {"p":{"fieldPath":"s","message":"s","messageExpression":"s","optionalOldSelf":"b","reason":{"t":"s","e":["FieldValueDuplicate","FieldValueForbidden","FieldValueInvalid","FieldValueRequired"]},"rule":"s="},"r":["rule"]}
apiextensions.v1.WebhookClientConfig {"p":{"caBundle":"y","service":"@apiextensions.v1.ServiceReference","url":"s"}}
apiextensions.v1.WebhookConversion {"p":{"clientConfig":"@apiextensions.v1.WebhookClientConfig","conversionReviewVersions":{"t":["s="],"l":"atomic"}},"r":["conversionReviewVersions"]}
`;
