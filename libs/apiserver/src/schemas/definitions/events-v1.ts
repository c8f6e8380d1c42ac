// Written by scripts/builtin-schemas.mjs.

export const eventsV1: string = `
events.v1.Event {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","eventTime":"@meta.v1.MicroTime","series":"@events.v1.EventSeries?","reportingController":"s","reportingInstance":"s","action":"s","reason":"s","regarding":"@core.v1.ObjectReference=","related":"@core.v1.ObjectReference?","note":"s","type":"s","deprecatedSource":"@core.v1.EventSource=","deprecatedFirstTimestamp":"@meta.v1.Time","deprecatedLastTimestamp":"@meta.v1.Time","deprecatedCount":"i"},"r":["eventTime"],"g":"events.k8s.io/v1/Event"}
events.v1.EventSeries {"p":{"count":"i=!","lastObservedTime":"@meta.v1.MicroTime"},"r":["count","lastObservedTime"]}
`;
