// Written by scripts/builtin-schemas.mjs.

export const authenticationV1: string = `
authentication.v1.BoundObjectReference {"p":{"kind":"s","apiVersion":"s","name":"s","uid":"s:types.UID"}}
authentication.v1.SelfSubjectReview {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","status":"@authentication.v1.SelfSubjectReviewStatus="},"g":"authentication.k8s.io/v1/SelfSubjectReview"}
authentication.v1.SelfSubjectReviewStatus {"p":{"userInfo":"@authentication.v1.UserInfo="}}
authentication.v1.TokenRequest {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@authentication.v1.TokenRequestSpec=","status":"@authentication.v1.TokenRequestStatus="},"g":"authentication.k8s.io/v1/TokenRequest"}
authentication.v1.TokenRequestSpec {"p":{"audiences":{"t":["s="],"l":"atomic","n":1},"expirationSeconds":"l?!","boundObjectRef":"@authentication.v1.BoundObjectReference?!"}}
authentication.v1.TokenRequestStatus {"p":{"token":"s=!","expirationTimestamp":"@meta.v1.Time"}}
authentication.v1.TokenReview {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@authentication.v1.TokenReviewSpec=","status":"@authentication.v1.TokenReviewStatus="},"r":["spec"],"g":"authentication.k8s.io/v1/TokenReview"}
authentication.v1.TokenReviewSpec {"p":{"token":"s","audiences":{"t":["s="],"l":"atomic"}},"r":["token"]}
authentication.v1.TokenReviewStatus {"p":{"authenticated":"b","user":"@authentication.v1.UserInfo=","audiences":{"t":["s="],"l":"atomic"},"error":"s"}}
authentication.v1.UserInfo {"p":{"username":"s","uid":"s","groups":{"t":["s="],"l":"atomic"},"extra":{"*":{"t":["s="],"go":"v1.ExtraValue"}}}}
`;
