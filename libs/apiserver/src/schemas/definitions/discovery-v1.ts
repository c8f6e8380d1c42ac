// Written by scripts/builtin-schemas.mjs.

export const discoveryV1 = `
discovery.v1.Endpoint {"p":{"addresses":{"t":["s="],"l":"set"},"conditions":"@discovery.v1.EndpointConditions=","deprecatedTopology":{"*":"s="},"hints":"@discovery.v1.EndpointHints","hostname":"s","nodeName":"s","targetRef":"@core.v1.ObjectReference","zone":"s"},"r":["addresses"]}
discovery.v1.EndpointConditions {"p":{"ready":"b","serving":"b","terminating":"b"}}
discovery.v1.EndpointHints {"p":{"forNodes":{"t":["@discovery.v1.ForNode="],"l":"atomic"},"forZones":{"t":["@discovery.v1.ForZone="],"l":"atomic"}}}
discovery.v1.EndpointPort {"p":{"appProtocol":"s","name":"s","port":"i","protocol":{"t":"s","e":["SCTP","TCP","UDP"]}},"m":"atomic"}
discovery.v1.EndpointSlice {"p":{"addressType":{"t":"s=","e":["FQDN","IPv4","IPv6"]},"apiVersion":"s","endpoints":{"t":["@discovery.v1.Endpoint="],"l":"atomic"},"kind":"s","metadata":"@meta.v1.ObjectMeta=","ports":{"t":["@discovery.v1.EndpointPort="],"l":"atomic"}},"r":["addressType"],"g":"discovery.k8s.io/v1/EndpointSlice"}
discovery.v1.ForNode {"p":{"name":"s="},"r":["name"]}
discovery.v1.ForZone {"p":{"name":"s="},"r":["name"]}
`;
