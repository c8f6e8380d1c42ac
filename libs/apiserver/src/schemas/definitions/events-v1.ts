// Written by scripts/builtin-schemas.mjs.

export const eventsV1 = `
events.v1.Event {"p":{"action":"s","apiVersion":"s","deprecatedCount":"i","deprecatedFirstTimestamp":"@meta.v1.Time","deprecatedLastTimestamp":"@meta.v1.Time","deprecatedSource":"@core.v1.EventSource=","eventTime":"@meta.v1.MicroTime","kind":"s","metadata":"@meta.v1.ObjectMeta=","note":"s","reason":"s","regarding":"@core.v1.ObjectReference=","related":"@core.v1.ObjectReference","reportingController":"s","reportingInstance":"s","series":"@events.v1.EventSeries","type":"s"},"r":["eventTime"],"g":"events.k8s.io/v1/Event"}
events.v1.EventSeries {"p":{"count":"i=","lastObservedTime":"@meta.v1.MicroTime"},"r":["count","lastObservedTime"]}
`;
