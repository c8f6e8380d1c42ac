// Written by scripts/builtin-schemas.mjs.

export const discoveryV1: string = `
discovery.v1.Endpoint {"p":{"addresses":{"t":["s="],"l":"set","n":1},"conditions":"@discovery.v1.EndpointConditions=","hostname":"s?","targetRef":"@core.v1.ObjectReference?","deprecatedTopology":{"*":"s="},"nodeName":"s?","zone":"s?","hints":"@discovery.v1.EndpointHints?"},"r":["addresses"]}
discovery.v1.EndpointConditions {"p":{"ready":"b?","serving":"b?","terminating":"b?"}}
discovery.v1.EndpointHints {"p":{"forZones":{"t":["@discovery.v1.ForZone="],"l":"atomic"},"forNodes":{"t":["@discovery.v1.ForNode="],"l":"atomic"}}}
discovery.v1.EndpointPort {"p":{"name":"s?","protocol":{"t":"s:v1.Protocol?","e":["SCTP","TCP","UDP"]},"port":"i?","appProtocol":"s?"},"m":"atomic"}
discovery.v1.EndpointSlice {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","addressType":{"t":"s:v1.AddressType=!","e":["FQDN","IPv4","IPv6"]},"endpoints":{"t":["@discovery.v1.Endpoint="],"l":"atomic","n":1},"ports":{"t":["@discovery.v1.EndpointPort="],"l":"atomic","n":1}},"r":["addressType"],"g":"discovery.k8s.io/v1/EndpointSlice"}
discovery.v1.ForNode {"p":{"name":"s=!"},"r":["name"]}
discovery.v1.ForZone {"p":{"name":"s=!"},"r":["name"]}
`;
