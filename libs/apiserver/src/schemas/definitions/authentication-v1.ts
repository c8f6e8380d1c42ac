// Written by scripts/builtin-schemas.mjs.

export const authenticationV1 = `
authentication.v1.BoundObjectReference {"p":{"apiVersion":"s","kind":"s","name":"s","uid":"s"}}
authentication.v1.SelfSubjectReview {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","status":"@authentication.v1.SelfSubjectReviewStatus="},"g":"authentication.k8s.io/v1/SelfSubjectReview"}
authentication.v1.SelfSubjectReviewStatus {"p":{"userInfo":"@authentication.v1.UserInfo="}}
authentication.v1.TokenRequest {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@authentication.v1.TokenRequestSpec=","status":"@authentication.v1.TokenRequestStatus="},"g":"authentication.k8s.io/v1/TokenRequest"}
authentication.v1.TokenRequestSpec {"p":{"audiences":{"t":["s="],"l":"atomic"},"boundObjectRef":"@authentication.v1.BoundObjectReference","expirationSeconds":"l"}}
authentication.v1.TokenRequestStatus {"p":{"expirationTimestamp":"@meta.v1.Time","token":"s="}}
authentication.v1.TokenReview {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@authentication.v1.TokenReviewSpec=","status":"@authentication.v1.TokenReviewStatus="},"r":["spec"],"g":"authentication.k8s.io/v1/TokenReview"}
authentication.v1.TokenReviewSpec {"p":{"audiences":{"t":["s="],"l":"atomic"},"token":"s"},"r":["token"]}
authentication.v1.TokenReviewStatus {"p":{"audiences":{"t":["s="],"l":"atomic"},"authenticated":"b","error":"s","user":"@authentication.v1.UserInfo="}}
authentication.v1.UserInfo {"p":{"extra":{"*":["s="]},"groups":{"t":["s="],"l":"atomic"},"uid":"s","username":"s"}}
`;
