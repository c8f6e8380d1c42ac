import { expect } from 'vitest';
import type { DefinitionUse } from './definition-use.js';

/** A scale, from its reading over its writing to its refusal. */
export async function scales(use: DefinitionUse, spec: object, field: string, isSelected: boolean): Promise<void> {
  const path = await use.given('scaled', { spec: { ...spec } });
  const scale = await use.get(`${path}/scale`);
  expect(scale.json).toMatchObject({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 1 } });
  expect(scale.json.status).toEqual({ replicas: 0 });
  const patched = await use.patch(`${path}/scale`, { spec: { replicas: 4 } });
  expect(patched.json.spec).toEqual({ replicas: 4 });
  const scaled = await use.get(path);
  expect(scaled.json.spec[field]).toBe(4);
  expect(scaled.json.metadata.generation).toBe(2);
  const status = await use.patch(`${path}/status`, {
    status: { [field]: 4, ...(isSelected ? { selector: 'a=b' } : {}) },
  });
  expect(status.status, JSON.stringify(status.json)).toBe(200);
  expect((await use.get(`${path}/scale`)).json.status).toEqual({
    replicas: 4,
    ...(isSelected ? { selector: 'a=b' } : {}),
  });
  expect((await use.patch(`${path}/scale`, { spec: { replicas: -1 } })).status).toBe(422);
}
