// Written by scripts/builtin-schemas.mjs.

export const authorizationV1: string = `
authorization.v1.FieldSelectorAttributes {"p":{"rawSelector":"s","requirements":{"t":["@meta.v1.FieldSelectorRequirement="],"l":"atomic"}}}
authorization.v1.LabelSelectorAttributes {"p":{"rawSelector":"s","requirements":{"t":["@meta.v1.LabelSelectorRequirement="],"l":"atomic"}}}
authorization.v1.LocalSubjectAccessReview {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@authorization.v1.SubjectAccessReviewSpec=","status":"@authorization.v1.SubjectAccessReviewStatus="},"r":["spec"],"g":"authorization.k8s.io/v1/LocalSubjectAccessReview"}
authorization.v1.NonResourceAttributes {"p":{"path":"s","verb":"s"}}
authorization.v1.NonResourceRule {"p":{"verbs":{"t":["s="],"l":"atomic","n":1},"nonResourceURLs":{"t":["s="],"l":"atomic"}},"r":["verbs"]}
authorization.v1.ResourceAttributes {"p":{"namespace":"s","verb":"s","group":"s","version":"s","resource":"s","subresource":"s","name":"s","fieldSelector":"@authorization.v1.FieldSelectorAttributes?","labelSelector":"@authorization.v1.LabelSelectorAttributes?"}}
authorization.v1.ResourceRule {"p":{"verbs":{"t":["s="],"l":"atomic","n":1},"apiGroups":{"t":["s="],"l":"atomic"},"resources":{"t":["s="],"l":"atomic"},"resourceNames":{"t":["s="],"l":"atomic"}},"r":["verbs"]}
authorization.v1.SelfSubjectAccessReview {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@authorization.v1.SelfSubjectAccessReviewSpec=","status":"@authorization.v1.SubjectAccessReviewStatus="},"r":["spec"],"g":"authorization.k8s.io/v1/SelfSubjectAccessReview"}
authorization.v1.SelfSubjectAccessReviewSpec {"p":{"resourceAttributes":"@authorization.v1.ResourceAttributes?","nonResourceAttributes":"@authorization.v1.NonResourceAttributes?"}}
authorization.v1.SelfSubjectRulesReview {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@authorization.v1.SelfSubjectRulesReviewSpec=","status":"@authorization.v1.SubjectRulesReviewStatus="},"r":["spec"],"g":"authorization.k8s.io/v1/SelfSubjectRulesReview"}
authorization.v1.SelfSubjectRulesReviewSpec {"p":{"namespace":"s"}}
authorization.v1.SubjectAccessReview {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@authorization.v1.SubjectAccessReviewSpec=","status":"@authorization.v1.SubjectAccessReviewStatus="},"r":["spec"],"g":"authorization.k8s.io/v1/SubjectAccessReview"}
authorization.v1.SubjectAccessReviewSpec {"p":{"resourceAttributes":"@authorization.v1.ResourceAttributes?","nonResourceAttributes":"@authorization.v1.NonResourceAttributes?","user":"s","groups":{"t":["s="],"l":"atomic"},"extra":{"*":{"t":["s="],"go":"v1.ExtraValue"}},"uid":"s"}}
authorization.v1.SubjectAccessReviewStatus {"p":{"allowed":"b=!","denied":"b","reason":"s","evaluationError":"s"},"r":["allowed"]}
authorization.v1.SubjectRulesReviewStatus {"p":{"resourceRules":{"t":["@authorization.v1.ResourceRule="],"l":"atomic","n":1},"nonResourceRules":{"t":["@authorization.v1.NonResourceRule="],"l":"atomic","n":1},"incomplete":"b=!","evaluationError":"s"},"r":["resourceRules","nonResourceRules","incomplete"]}
`;
