// Written by scripts/builtin-schemas.mjs.

export const networkingV1: string = `
networking.v1.HTTPIngressPath {"p":{"path":"s","pathType":{"t":"s:v1.PathType?!","e":["Exact","ImplementationSpecific","Prefix"]},"backend":"@networking.v1.IngressBackend="},"r":["pathType","backend"]}
networking.v1.HTTPIngressRuleValue {"p":{"paths":{"t":["@networking.v1.HTTPIngressPath="],"l":"atomic","n":1}},"r":["paths"]}
networking.v1.IPAddress {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@networking.v1.IPAddressSpec="},"r":["spec"],"g":"networking.k8s.io/v1/IPAddress"}
networking.v1.IPAddressSpec {"p":{"parentRef":"@networking.v1.ParentReference?"},"r":["parentRef"]}
networking.v1.IPBlock {"p":{"cidr":"s=!","except":{"t":["s="],"l":"atomic"}},"r":["cidr"]}
networking.v1.Ingress {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@networking.v1.IngressSpec=","status":"@networking.v1.IngressStatus="},"g":"networking.k8s.io/v1/Ingress"}
networking.v1.IngressBackend {"p":{"service":"@networking.v1.IngressServiceBackend?","resource":"@core.v1.TypedLocalObjectReference?"}}
networking.v1.IngressClass {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@networking.v1.IngressClassSpec="},"g":"networking.k8s.io/v1/IngressClass"}
networking.v1.IngressClassParametersReference {"p":{"apiGroup":"s?","kind":"s=!","name":"s=!","scope":"s?!","namespace":"s?"},"r":["kind","name"]}
networking.v1.IngressClassSpec {"p":{"controller":"s","parameters":"@networking.v1.IngressClassParametersReference?"}}
networking.v1.IngressLoadBalancerIngress {"p":{"ip":"s","hostname":"s","ports":{"t":["@networking.v1.IngressPortStatus="],"l":"atomic"}}}
networking.v1.IngressLoadBalancerStatus {"p":{"ingress":{"t":["@networking.v1.IngressLoadBalancerIngress="],"l":"atomic"}}}
networking.v1.IngressPortStatus {"p":{"port":"i=!","protocol":{"t":"s:v1.Protocol=!","e":["SCTP","TCP","UDP"]},"error":"s?"},"r":["port","protocol"]}
networking.v1.IngressRule {"p":{"host":"s","http":"&networking.v1.HTTPIngressRuleValue?"},"in":{"http":"IngressRuleValue"}}
networking.v1.IngressServiceBackend {"p":{"name":"s=!","port":"@networking.v1.ServiceBackendPort="},"r":["name"]}
networking.v1.IngressSpec {"p":{"ingressClassName":"s?","defaultBackend":"@networking.v1.IngressBackend?","tls":{"t":["@networking.v1.IngressTLS="],"l":"atomic"},"rules":{"t":["@networking.v1.IngressRule="],"l":"atomic"}}}
networking.v1.IngressStatus {"p":{"loadBalancer":"@networking.v1.IngressLoadBalancerStatus="}}
networking.v1.IngressTLS {"p":{"hosts":{"t":["s="],"l":"atomic"},"secretName":"s"}}
networking.v1.NetworkPolicy {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@networking.v1.NetworkPolicySpec="},"g":"networking.k8s.io/v1/NetworkPolicy"}
networking.v1.NetworkPolicyEgressRule {"p":{"ports":{"t":["@networking.v1.NetworkPolicyPort="],"l":"atomic"},"to":{"t":["@networking.v1.NetworkPolicyPeer="],"l":"atomic"}}}
networking.v1.NetworkPolicyIngressRule {"p":{"ports":{"t":["@networking.v1.NetworkPolicyPort="],"l":"atomic"},"from":{"t":["@networking.v1.NetworkPolicyPeer="],"l":"atomic"}}}
networking.v1.NetworkPolicyPeer {"p":{"podSelector":"@meta.v1.LabelSelector?","namespaceSelector":"@meta.v1.LabelSelector?","ipBlock":"@networking.v1.IPBlock?"}}
networking.v1.NetworkPolicyPort {"p":{"protocol":{"t":"s:v1.Protocol?","e":["SCTP","TCP","UDP"]},"port":"@intstr.IntOrString?","endPort":"i?"}}
networking.v1.NetworkPolicySpec {"p":{"podSelector":"@meta.v1.LabelSelector=","ingress":{"t":["@networking.v1.NetworkPolicyIngressRule="],"l":"atomic"},"egress":{"t":["@networking.v1.NetworkPolicyEgressRule="],"l":"atomic"},"policyTypes":{"t":[{"t":"s:v1.PolicyType=","e":["Egress","Ingress"]}],"l":"atomic"}}}
networking.v1.ParentReference {"p":{"group":"s","resource":"s","namespace":"s","name":"s"},"r":["resource","name"]}
networking.v1.ServiceBackendPort {"p":{"name":"s","number":"i"},"m":"atomic"}
networking.v1.ServiceCIDR {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@networking.v1.ServiceCIDRSpec=","status":"@networking.v1.ServiceCIDRStatus="},"g":"networking.k8s.io/v1/ServiceCIDR"}
networking.v1.ServiceCIDRSpec {"p":{"cidrs":{"t":["s="],"l":"atomic"}}}
networking.v1.ServiceCIDRStatus {"p":{"conditions":{"t":["@meta.v1.Condition="],"l":"map","k":["type"],"key":"type","s":"merge"}}}
`;
