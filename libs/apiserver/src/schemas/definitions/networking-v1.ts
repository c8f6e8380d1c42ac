// Written by scripts/builtin-schemas.mjs.

export const networkingV1 = `
networking.v1.HTTPIngressPath {"p":{"backend":"@networking.v1.IngressBackend=","path":"s","pathType":{"t":"s","e":["Exact","ImplementationSpecific","Prefix"]}},"r":["pathType","backend"]}
networking.v1.HTTPIngressRuleValue {"p":{"paths":{"t":["@networking.v1.HTTPIngressPath="],"l":"atomic"}},"r":["paths"]}
networking.v1.IPAddress {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@networking.v1.IPAddressSpec="},"r":["spec"],"g":"networking.k8s.io/v1/IPAddress"}
networking.v1.IPAddressSpec {"p":{"parentRef":"@networking.v1.ParentReference"},"r":["parentRef"]}
networking.v1.IPBlock {"p":{"cidr":"s=","except":{"t":["s="],"l":"atomic"}},"r":["cidr"]}
networking.v1.Ingress {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@networking.v1.IngressSpec=","status":"@networking.v1.IngressStatus="},"g":"networking.k8s.io/v1/Ingress"}
networking.v1.IngressBackend {"p":{"resource":"@core.v1.TypedLocalObjectReference","service":"@networking.v1.IngressServiceBackend"}}
networking.v1.IngressClass {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@networking.v1.IngressClassSpec="},"g":"networking.k8s.io/v1/IngressClass"}
networking.v1.IngressClassParametersReference {"p":{"apiGroup":"s","kind":"s=","name":"s=","namespace":"s","scope":"s"},"r":["kind","name"]}
networking.v1.IngressClassSpec {"p":{"controller":"s","parameters":"@networking.v1.IngressClassParametersReference"}}
networking.v1.IngressLoadBalancerIngress {"p":{"hostname":"s","ip":"s","ports":{"t":["@networking.v1.IngressPortStatus="],"l":"atomic"}}}
networking.v1.IngressLoadBalancerStatus {"p":{"ingress":{"t":["@networking.v1.IngressLoadBalancerIngress="],"l":"atomic"}}}
networking.v1.IngressPortStatus {"p":{"error":"s","port":"i=","protocol":{"t":"s=","e":["SCTP","TCP","UDP"]}},"r":["port","protocol"]}
networking.v1.IngressRule {"p":{"host":"s","http":"@networking.v1.HTTPIngressRuleValue"}}
networking.v1.IngressServiceBackend {"p":{"name":"s=","port":"@networking.v1.ServiceBackendPort="},"r":["name"]}
networking.v1.IngressSpec {"p":{"defaultBackend":"@networking.v1.IngressBackend","ingressClassName":"s","rules":{"t":["@networking.v1.IngressRule="],"l":"atomic"},"tls":{"t":["@networking.v1.IngressTLS="],"l":"atomic"}}}
networking.v1.IngressStatus {"p":{"loadBalancer":"@networking.v1.IngressLoadBalancerStatus="}}
networking.v1.IngressTLS {"p":{"hosts":{"t":["s="],"l":"atomic"},"secretName":"s"}}
networking.v1.NetworkPolicy {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@networking.v1.NetworkPolicySpec="},"g":"networking.k8s.io/v1/NetworkPolicy"}
networking.v1.NetworkPolicyEgressRule {"p":{"ports":{"t":["@networking.v1.NetworkPolicyPort="],"l":"atomic"},"to":{"t":["@networking.v1.NetworkPolicyPeer="],"l":"atomic"}}}
networking.v1.NetworkPolicyIngressRule {"p":{"from":{"t":["@networking.v1.NetworkPolicyPeer="],"l":"atomic"},"ports":{"t":["@networking.v1.NetworkPolicyPort="],"l":"atomic"}}}
networking.v1.NetworkPolicyPeer {"p":{"ipBlock":"@networking.v1.IPBlock","namespaceSelector":"@meta.v1.LabelSelector","podSelector":"@meta.v1.LabelSelector"}}
networking.v1.NetworkPolicyPort {"p":{"endPort":"i","port":"@intstr.IntOrString","protocol":{"t":"s","e":["SCTP","TCP","UDP"]}}}
networking.v1.NetworkPolicySpec {"p":{"egress":{"t":["@networking.v1.NetworkPolicyEgressRule="],"l":"atomic"},"ingress":{"t":["@networking.v1.NetworkPolicyIngressRule="],"l":"atomic"},"podSelector":"@meta.v1.LabelSelector=","policyTypes":{"t":[{"t":"s=","e":["Egress","Ingress"]}],"l":"atomic"}}}
networking.v1.ParentReference {"p":{"group":"s","name":"s","namespace":"s","resource":"s"},"r":["resource","name"]}
networking.v1.ServiceBackendPort {"p":{"name":"s","number":"i"},"m":"atomic"}
networking.v1.ServiceCIDR {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@networking.v1.ServiceCIDRSpec=","status":"@networking.v1.ServiceCIDRStatus="},"g":"networking.k8s.io/v1/ServiceCIDR"}
networking.v1.ServiceCIDRSpec {"p":{"cidrs":{"t":["s="],"l":"atomic"}}}
networking.v1.ServiceCIDRStatus {"p":{"conditions":{"t":["@meta.v1.Condition="],"l":"map","k":["type"],"key":"type","s":"merge"}}}
`;
