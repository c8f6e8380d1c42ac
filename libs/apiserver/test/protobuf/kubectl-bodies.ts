/** What a kubectl 1.36.3 sent for a command, and the object that it printed for it with `--dry-run=client -o json`. */
export interface KubectlBody {
  readonly command: string;
  readonly path: string;
  /** In base64. */
  readonly body: string;
  readonly object: unknown;
}

export const kubectlBodies: readonly KubectlBody[] = [
  {
    command: 'kubectl create namespace x',
    path: '/api/v1/namespaces',
    body: 'azhzAAoPCgJ2MRIJTmFtZXNwYWNlEhkKEQoBeBIAGgAiACoAMgA4AEIAEgAaAgoAGgAiAA==',
    object: { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'x' }, spec: {}, status: {} },
  },
  {
    command: 'kubectl create configmap cm --from-literal=a=b -n x',
    path: '/api/v1/namespaces/x/configmaps',
    body: 'azhzAAoPCgJ2MRIJQ29uZmlnTWFwEh0KEwoCY20SABoBeCIAKgAyADgAQgASBgoBYRIBYhoAIgA=',
    object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'cm', namespace: 'x' }, data: { a: 'b' } },
  },
  {
    command: 'kubectl create secret generic s --from-literal=a=b -n x',
    path: '/api/v1/namespaces/x/secrets',
    body: 'azhzAAoMCgJ2MRIGU2VjcmV0Eh4KEgoBcxIAGgF4IgAqADIAOABCABIGCgFhEgFiGgAaACIA',
    object: { kind: 'Secret', apiVersion: 'v1', metadata: { name: 's', namespace: 'x' }, data: { a: 'Yg==' } },
  },
  {
    command: 'kubectl create serviceaccount sa -n x',
    path: '/api/v1/namespaces/x/serviceaccounts',
    body: 'azhzAAoUCgJ2MRIOU2VydmljZUFjY291bnQSFQoTCgJzYRIAGgF4IgAqADIAOABCABoAIgA=',
    object: { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'sa', namespace: 'x' } },
  },
  {
    command: 'kubectl create role r --verb=get,list --resource=pods,configmaps --resource-name=one -n x',
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/x/roles',
    body: 'azhzAAokChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgRSb2xlEjoKEgoBchIAGgF4IgAqADIAOABCABIkCgNnZXQKBGxpc3QSABoEcG9kcxoKY29uZmlnbWFwcyIDb25lGgAiAA==',
    object: {
      kind: 'Role',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'r', namespace: 'x' },
      rules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'configmaps'], resourceNames: ['one'] }],
    },
  },
  {
    command: 'kubectl create rolebinding rb --role=r --serviceaccount=x:sa --group=g -n x',
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/x/rolebindings',
    body: 'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtSb2xlQmluZGluZxJ/ChMKAnJiEgAaAXgiACoAMgA4AEIAEicKBUdyb3VwEhlyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvGgFnIgASGQoOU2VydmljZUFjY291bnQSABoCc2EiAXgaJAoZcmJhYy5hdXRob3JpemF0aW9uLms4cy5pbxIEUm9sZRoBchoAIgA=',
    object: {
      kind: 'RoleBinding',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'rb', namespace: 'x' },
      subjects: [
        { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'g' },
        { kind: 'ServiceAccount', name: 'sa', namespace: 'x' },
      ],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    },
  },
  {
    command: 'kubectl create clusterrole cr --verb=get --non-resource-url=/logs',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    body: 'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtDbHVzdGVyUm9sZRIiChIKAmNyEgAaACIAKgAyADgAQgASDAoDZ2V0KgUvbG9ncxoAIgA=',
    object: {
      kind: 'ClusterRole',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'cr' },
      rules: [{ verbs: ['get'], nonResourceURLs: ['/logs'] }],
    },
  },
  {
    command: 'kubectl create clusterrole agg --aggregation-rule=a=b',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    body: 'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtDbHVzdGVyUm9sZRIhChMKA2FnZxIAGgAiACoAMgA4AEIAGgoKCAoGCgFhEgFiGgAiAA==',
    object: {
      kind: 'ClusterRole',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'agg' },
      rules: null,
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    },
  },
  {
    command: 'kubectl create clusterrolebinding crb --clusterrole=cr --user=bob',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    body: 'azhzAAoyChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEhJDbHVzdGVyUm9sZUJpbmRpbmcSbQoTCgNjcmISABoAIgAqADIAOABCABIoCgRVc2VyEhlyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvGgNib2IiABosChlyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvEgtDbHVzdGVyUm9sZRoCY3IaACIA',
    object: {
      kind: 'ClusterRoleBinding',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'crb' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'bob' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cr' },
    },
  },
  {
    command: 'kubectl create deployment d --image=nginx -n x --replicas=0 --port=80',
    path: '/apis/apps/v1/namespaces/x/deployments',
    body: 'azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50ErEBChwKAWQSABoBeCIAKgAyADgAQgBaCAoDYXBwEgFkEoIBCAASCgoICgNhcHASAWQaagoaCgASABoAIgAqADIAOABCAFoICgNhcHASAWQSTBIuCgVuZ2lueBIFbmdpbngqADIKCgAQABhQIgAqAEIAagByAIABAIgBAJABAKIBABoAMgBCAEoAUgBYAGAAaACCAQCKAQCaAQDCAQAiAgoAKAA4ABoMCAAQABgAIAAoADgAGgAiAA==',
    object: {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'd', namespace: 'x', labels: { app: 'd' } },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'd' } },
        template: {
          metadata: { labels: { app: 'd' } },
          spec: { containers: [{ name: 'nginx', image: 'nginx', ports: [{ containerPort: 80 }], resources: {} }] },
        },
        strategy: {},
      },
      status: {},
    },
  },
  {
    command: 'kubectl create job j --image=busybox -n x -- echo hi',
    path: '/apis/batch/v1/namespaces/x/jobs',
    body: 'azhzAAoPCghiYXRjaC92MRIDSm9iEoMBChIKAWoSABoBeCIAKgAyADgAQgASYzJhChAKABIAGgAiACoAMgA4AEIAEk0SKgoBahIHYnVzeWJveBoEZWNobxoCaGkqAEIAagByAIABAIgBAJABAKIBABoFTmV2ZXIyAEIASgBSAFgAYABoAIIBAIoBAJoBAMIBABoIIAAoADAAOgAaACIA',
    object: {
      kind: 'Job',
      apiVersion: 'batch/v1',
      metadata: { name: 'j', namespace: 'x' },
      spec: {
        template: {
          metadata: {},
          spec: {
            containers: [{ name: 'j', image: 'busybox', command: ['echo', 'hi'], resources: {} }],
            restartPolicy: 'Never',
          },
        },
      },
      status: {},
    },
  },
  {
    command: "kubectl create cronjob cj --image=busybox --schedule='*/1 * * * *' -n x -- echo hi",
    path: '/apis/batch/v1/namespaces/x/cronjobs',
    body: 'azhzAAoTCghiYXRjaC92MRIHQ3JvbkpvYhKpAQoTCgJjahIAGgF4IgAqADIAOABCABKPAQoLKi8xICogKiAqICoaACp+ChIKAmNqEgAaACIAKgAyADgAQgASaDJmChAKABIAGgAiACoAMgA4AEIAElISKwoCY2oSB2J1c3lib3gaBGVjaG8aAmhpKgBCAGoAcgCAAQCIAQCQAQCiAQAaCU9uRmFpbHVyZTIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAGgAaACIA',
    object: {
      kind: 'CronJob',
      apiVersion: 'batch/v1',
      metadata: { name: 'cj', namespace: 'x' },
      spec: {
        schedule: '*/1 * * * *',
        jobTemplate: {
          metadata: { name: 'cj' },
          spec: {
            template: {
              metadata: {},
              spec: {
                containers: [{ name: 'cj', image: 'busybox', command: ['echo', 'hi'], resources: {} }],
                restartPolicy: 'OnFailure',
              },
            },
          },
        },
      },
      status: {},
    },
  },
  {
    command: 'kubectl create quota q --hard=cpu=1,memory=1G,pods=2 -n x',
    path: '/api/v1/namespaces/x/resourcequotas',
    body: 'azhzAAoTCgJ2MRINUmVzb3VyY2VRdW90YRJBChIKAXESABoBeCIAKgAyADgAQgASKQoKCgNjcHUSAwoBMQoOCgZtZW1vcnkSBAoCMUcKCwoEcG9kcxIDCgEyGgAaACIA',
    object: {
      kind: 'ResourceQuota',
      apiVersion: 'v1',
      metadata: { name: 'q', namespace: 'x' },
      spec: { hard: { cpu: '1', memory: '1G', pods: '2' } },
      status: {},
    },
  },
  {
    command: 'kubectl create poddisruptionbudget pdb --selector=app=d --min-available=50% -n x',
    path: '/apis/policy/v1/namespaces/x/poddisruptionbudgets',
    body: 'azhzAAogCglwb2xpY3kvdjESE1BvZERpc3J1cHRpb25CdWRnZXQSOwoUCgNwZGISABoBeCIAKgAyADgAQgASFwoJCAEQABoDNTAlEgoKCAoDYXBwEgFkGgoIABgAIAAoADAAGgAiAA==',
    object: {
      kind: 'PodDisruptionBudget',
      apiVersion: 'policy/v1',
      metadata: { name: 'pdb', namespace: 'x' },
      spec: { minAvailable: '50%', selector: { matchLabels: { app: 'd' } } },
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    },
  },
  {
    command: 'kubectl create priorityclass pc --value=1000 --description=x',
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    body: 'azhzAAolChRzY2hlZHVsaW5nLms4cy5pby92MRINUHJpb3JpdHlDbGFzcxIyChIKAnBjEgAaACIAKgAyADgAQgAQ6AcYACIBeCoUUHJlZW1wdExvd2VyUHJpb3JpdHkaACIA',
    object: {
      kind: 'PriorityClass',
      apiVersion: 'scheduling.k8s.io/v1',
      metadata: { name: 'pc' },
      value: 1000,
      description: 'x',
      preemptionPolicy: 'PreemptLowerPriority',
    },
  },
  {
    command: "kubectl create ingress ing --rule='foo.com/bar=svc1:8080,tls=my-cert' --annotation=a=b -n x",
    path: '/apis/networking.k8s.io/v1/namespaces/x/ingresses',
    body: 'azhzAAofChRuZXR3b3JraW5nLms4cy5pby92MRIHSW5ncmVzcxJnChwKA2luZxIAGgF4IgAqADIAOABCAGIGCgFhEgFiEkMSEgoHZm9vLmNvbRIHbXktY2VydBotCgdmb28uY29tEiIKIAoeCgQvYmFyEg8iDQoEc3ZjMRIFCgAQkD8aBUV4YWN0GgIKABoAIgA=',
    object: {
      kind: 'Ingress',
      apiVersion: 'networking.k8s.io/v1',
      metadata: { name: 'ing', namespace: 'x', annotations: { a: 'b' } },
      spec: {
        tls: [{ hosts: ['foo.com'], secretName: 'my-cert' }],
        rules: [
          {
            host: 'foo.com',
            http: {
              paths: [
                { path: '/bar', pathType: 'Exact', backend: { service: { name: 'svc1', port: { number: 8080 } } } },
              ],
            },
          },
        ],
      },
      status: { loadBalancer: {} },
    },
  },
  {
    command: 'kubectl create service clusterip svc --tcp=80:8080 --tcp=81:named -n x',
    path: '/api/v1/namespaces/x/services',
    body: 'azhzAAoNCgJ2MRIHU2VydmljZRKMAQogCgNzdmMSABoBeCIAKgAyADgAQgBaCgoDYXBwEgNzdmMSZAobCgc4MC04MDgwEgNUQ1AYUCIHCAAQkD8aACgACiAKCDgxLW5hbWVkEgNUQ1AYUSILCAEQABoFbmFtZWQoABIKCgNhcHASA3N2YxoAIglDbHVzdGVySVA6AEIAUgBaAGAAaAAaAgoAGgAiAA==',
    object: {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: 'svc', namespace: 'x', labels: { app: 'svc' } },
      spec: {
        ports: [
          { name: '80-8080', protocol: 'TCP', port: 80, targetPort: 8080 },
          { name: '81-named', protocol: 'TCP', port: 81, targetPort: 'named' },
        ],
        selector: { app: 'svc' },
        type: 'ClusterIP',
      },
      status: { loadBalancer: {} },
    },
  },
  {
    command: 'kubectl create service externalname en --external-name=foo.com -n x',
    path: '/api/v1/namespaces/x/services',
    body: 'azhzAAoNCgJ2MRIHU2VydmljZRJUCh4KAmVuEgAaAXgiACoAMgA4AEIAWgkKA2FwcBICZW4SLhIJCgNhcHASAmVuGgAiDEV4dGVybmFsTmFtZToAQgBSB2Zvby5jb21aAGAAaAAaAgoAGgAiAA==',
    object: {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: 'en', namespace: 'x', labels: { app: 'en' } },
      spec: { selector: { app: 'en' }, type: 'ExternalName', externalName: 'foo.com' },
      status: { loadBalancer: {} },
    },
  },
  {
    command: 'kubectl auth can-i get pods/a --subresource=log -n x',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: 'azhzAAoyChdhdXRob3JpemF0aW9uLms4cy5pby92MRIXU2VsZlN1YmplY3RBY2Nlc3NSZXZpZXcSOgoQCgASABoAIgAqADIAOABCABIcChoKAXgSA2dldBoAIgAqBHBvZHMyA2xvZzoBYRoICAASABoAIAAaACIA',
    object: {
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: { resourceAttributes: { namespace: 'x', verb: 'get', resource: 'pods', subresource: 'log', name: 'a' } },
      status: { allowed: false },
    },
  },
  {
    command: 'kubectl auth can-i --list -n x',
    path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
    body: 'azhzAAoxChdhdXRob3JpemF0aW9uLms4cy5pby92MRIWU2VsZlN1YmplY3RSdWxlc1JldmlldxIdChAKABIAGgAiACoAMgA4AEIAEgMKAXgaBBgAIgAaACIA',
    object: {
      kind: 'SelfSubjectRulesReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: { namespace: 'x' },
      status: { resourceRules: null, nonResourceRules: null, incomplete: false },
    },
  },
  {
    command: 'kubectl auth whoami',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: 'azhzAAotChhhdXRoZW50aWNhdGlvbi5rOHMuaW8vdjESEVNlbGZTdWJqZWN0UmV2aWV3EhoKEAoAEgAaACIAKgAyADgAQgASBgoECgASABoAIgA=',
    object: {
      kind: 'SelfSubjectReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {},
      status: { userInfo: {} },
    },
  },
];
