import type { JsonObject, KubeObject, WebhookFunction } from '../../src/index.js';

const version = (name: string, storage: boolean, properties: JsonObject): JsonObject => ({
  name,
  served: true,
  storage,
  subresources: { status: {} },
  selectableFields: name === 'v2' ? [{ jsonPath: '.spec.text' }] : [],
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { ...properties, shared: { type: 'string', default: 's' } } },
        status: { type: 'object', properties: { phase: { type: 'string' } } },
      },
    },
  },
});

/** A kind whose size is a number in v1 and a text in v2, with a webhook between the versions. */
export const gaugeDefinition = (storage: 'v1' | 'v2' = 'v1', conversion?: JsonObject): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gauges.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gauges', kind: 'Gauge' },
    conversion: conversion ?? {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { service: { namespace: 'hooks', name: 'convert' } },
      },
    },
    versions: [
      version('v1', storage === 'v1', { size: { type: 'integer' }, one: { type: 'string', default: '1' } }),
      version('v2', storage === 'v2', { text: { type: 'string' }, two: { type: 'string', default: '2' } }),
    ],
  },
});

export const gauges = (served: string): string => `/apis/example.com/${served}/namespaces/default/gauges`;

export const gauge = (name: string, served: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: `example.com/${served}`,
  kind: 'Gauge',
  metadata: { name, ...metadata },
  spec,
});

interface ConversionRequest {
  uid: string;
  desiredAPIVersion: string;
  objects: KubeObject[];
}

/** Converts gauges as they should be, and counts what it is asked for. */
export class GaugeConverter {
  readonly asked: string[] = [];
  /** Done before each answer. */
  before: (request: ConversionRequest) => Promise<void> | void = () => undefined;
  /** Changes the answer. */
  response: (response: JsonObject) => JsonObject = (response) => response;

  readonly convert: WebhookFunction = async (review) => {
    const request = review['request'] as unknown as ConversionRequest;
    this.asked.push(
      `${request.objects.map(({ metadata }) => metadata.name).join('+')} to ${request.desiredAPIVersion.split('/')[1]}`,
    );
    await this.before(request);
    const response = {
      uid: request.uid,
      result: { status: 'Success' },
      convertedObjects: request.objects.map((object) => convertGauge(object, request.desiredAPIVersion)),
    };
    return { ...review, response: this.response(response) };
  };

  take(): string[] {
    return this.asked.splice(0);
  }
}

function convertGauge(object: KubeObject, apiVersion: string): KubeObject {
  const { size, text, ...spec } = (object['spec'] ?? {}) as { size?: number; text?: string };
  return {
    ...object,
    apiVersion,
    spec: apiVersion.endsWith('v2')
      ? { ...spec, ...(size === undefined ? {} : { text: String(size) }) }
      : { ...spec, ...(text === undefined ? {} : { size: Number(text) }) },
  };
}
