import type { JsonObject } from '../../src/index.js';

export const apiVersion = 'conformance.example.com/v1';

export const widget = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind: 'Widget',
  metadata: { name, ...metadata },
  spec: { size: 1, ...spec },
});

export const configMap = (name: string, data: JsonObject = { a: '1' }, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
