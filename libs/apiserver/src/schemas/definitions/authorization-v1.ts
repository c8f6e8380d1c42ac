// Written by scripts/builtin-schemas.mjs.

export const authorizationV1 = `
authorization.v1.FieldSelectorAttributes {"p":{"rawSelector":"s","requirements":{"t":["@meta.v1.FieldSelectorRequirement="],"l":"atomic"}}}
authorization.v1.LabelSelectorAttributes {"p":{"rawSelector":"s","requirements":{"t":["@meta.v1.LabelSelectorRequirement="],"l":"atomic"}}}
authorization.v1.LocalSubjectAccessReview {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@authorization.v1.SubjectAccessReviewSpec=","status":"@authorization.v1.SubjectAccessReviewStatus="},"r":["spec"],"g":"authorization.k8s.io/v1/LocalSubjectAccessReview"}
authorization.v1.NonResourceAttributes {"p":{"path":"s","verb":"s"}}
authorization.v1.NonResourceRule {"p":{"nonResourceURLs":{"t":["s="],"l":"atomic"},"verbs":{"t":["s="],"l":"atomic"}},"r":["verbs"]}
authorization.v1.ResourceAttributes {"p":{"fieldSelector":"@authorization.v1.FieldSelectorAttributes","group":"s","labelSelector":"@authorization.v1.LabelSelectorAttributes","name":"s","namespace":"s","resource":"s","subresource":"s","verb":"s","version":"s"}}
authorization.v1.ResourceRule {"p":{"apiGroups":{"t":["s="],"l":"atomic"},"resourceNames":{"t":["s="],"l":"atomic"},"resources":{"t":["s="],"l":"atomic"},"verbs":{"t":["s="],"l":"atomic"}},"r":["verbs"]}
authorization.v1.SelfSubjectAccessReview {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@authorization.v1.SelfSubjectAccessReviewSpec=","status":"@authorization.v1.SubjectAccessReviewStatus="},"r":["spec"],"g":"authorization.k8s.io/v1/SelfSubjectAccessReview"}
authorization.v1.SelfSubjectAccessReviewSpec {"p":{"nonResourceAttributes":"@authorization.v1.NonResourceAttributes","resourceAttributes":"@authorization.v1.ResourceAttributes"}}
authorization.v1.SelfSubjectRulesReview {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@authorization.v1.SelfSubjectRulesReviewSpec=","status":"@authorization.v1.SubjectRulesReviewStatus="},"r":["spec"],"g":"authorization.k8s.io/v1/SelfSubjectRulesReview"}
authorization.v1.SelfSubjectRulesReviewSpec {"p":{"namespace":"s"}}
authorization.v1.SubjectAccessReview {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@authorization.v1.SubjectAccessReviewSpec=","status":"@authorization.v1.SubjectAccessReviewStatus="},"r":["spec"],"g":"authorization.k8s.io/v1/SubjectAccessReview"}
authorization.v1.SubjectAccessReviewSpec {"p":{"extra":{"*":["s="]},"groups":{"t":["s="],"l":"atomic"},"nonResourceAttributes":"@authorization.v1.NonResourceAttributes","resourceAttributes":"@authorization.v1.ResourceAttributes","uid":"s","user":"s"}}
authorization.v1.SubjectAccessReviewStatus {"p":{"allowed":"b=","denied":"b","evaluationError":"s","reason":"s"},"r":["allowed"]}
authorization.v1.SubjectRulesReviewStatus {"p":{"evaluationError":"s","incomplete":"b=","nonResourceRules":{"t":["@authorization.v1.NonResourceRule="],"l":"atomic"},"resourceRules":{"t":["@authorization.v1.ResourceRule="],"l":"atomic"}},"r":["resourceRules","nonResourceRules","incomplete"]}
`;
