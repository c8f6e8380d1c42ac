import { describe, expect, it } from 'vitest';
import { server } from './support/fixtures.js';
import { call } from './support/http.js';

describe('an Event of events.k8s.io that may not be changed so', () => {
  it('is refused with its members as the types of the server have them', async () => {
    const api = await server({});
    const events = '/apis/events.k8s.io/v1/namespaces/default/events';
    const event = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'b' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      regarding: { kind: 'Pod', name: 'a', namespace: 'default' },
      reason: 'R',
      type: 'Normal',
      action: 'A',
      reportingController: 'c',
      reportingInstance: 'i',
    };
    expect((await call(api.url, 'POST', events, { body: event })).status).toBe(201);
    const { eventTime: _time, reason: _reason, ...rest } = event;
    const changed = { ...rest, regarding: { name: 'a' } };
    const { status, json: refusal } = await call(api.url, 'PUT', `${events}/b`, { body: changed });
    expect(status).toBe(422);
    const told = (refusal.details.causes as { field: string; message: string }[]).map(
      ({ field, message }) => `${field}: ${message}`,
    );
    expect(told.toSorted()).toEqual([
      'eventTime: Invalid value: null: field is immutable',
      'involvedObject: Invalid value: {"Kind":"","Namespace":"","Name":"a","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
      'reason: Invalid value: "": field is immutable',
      'reason: Invalid value: "": field is immutable',
    ]);
  });
});
