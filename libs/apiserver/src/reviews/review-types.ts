const authorization = 'authorization.k8s.io';
const authentication = 'authentication.k8s.io';

/** Resources that answer a question and keep nothing: they can only be created. */
export const reviewRows = [
  { group: authentication, plural: 'selfsubjectreviews', kind: 'SelfSubjectReview', cluster: true },
  { group: authentication, plural: 'tokenreviews', kind: 'TokenReview', cluster: true },
  { group: authorization, plural: 'localsubjectaccessreviews', kind: 'LocalSubjectAccessReview' },
  { group: authorization, plural: 'selfsubjectaccessreviews', kind: 'SelfSubjectAccessReview', cluster: true },
  { group: authorization, plural: 'selfsubjectrulesreviews', kind: 'SelfSubjectRulesReview', cluster: true },
  { group: authorization, plural: 'subjectaccessreviews', kind: 'SubjectAccessReview', cluster: true },
].map((row) => ({ ...row, virtual: true, verbs: ['create'] }));
