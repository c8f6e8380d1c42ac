import { describe, expect, it } from 'vitest';
import type { StoredObject } from '../../../src/engine/kube-object.js';
import { otherFieldManagers } from '../../../src/engine/processing/field-managers.js';
import { apiError } from './fake-server.js';
import { on, ProcessingRig, type TestHandler } from './rig.js';

const managedFields = [
  { manager: 'op.example', operation: 'Update', time: '2026-01-01T00:00:09Z' },
  { manager: 'deployer', operation: 'Update', time: '2026-01-01T00:00:01Z' },
  { manager: 'op.example', operation: 'Update', time: '2026-01-01T00:00:08Z', subresource: 'status' },
  { manager: 'prober', operation: 'Update', time: '2026-01-01T00:00:07Z', subresource: 'status' },
  { manager: 'stripper', operation: 'Apply', time: '2026-01-01T00:00:05Z' },
  { manager: 'deployer', operation: 'Apply', time: '2026-01-01T00:00:03Z' },
];

const handlers: readonly TestHandler[] = [{ id: 'ensure', triggers: [on.create(), on.update()] }];
const message = (rig: ProcessingRig): string => String(rig.events[0]?.['message']);

describe('who else writes to an object', () => {
  it('is told by field manager, the latest first, and only of the object itself', () => {
    const object = { metadata: { managedFields } } as unknown as StoredObject;
    expect(otherFieldManagers(object, 'op.example')).toEqual(['stripper', 'deployer']);
    expect(otherFieldManagers({ metadata: {} } as StoredObject, 'op.example')).toEqual([]);
  });

  it('is named when the record was stripped', async () => {
    const rig = new ProcessingRig({ handlers });
    await rig.create();
    rig.server.intercept(({ verb }) =>
      verb === 'get' ? { ...rig.object, metadata: { ...rig.object.metadata, managedFields } } : undefined,
    );
    await rig.change({ metadata: { annotations: {} } });
    expect(message(rig)).toContain('Field managers that write to this object: stripper, deployer.');
    expect(rig.record).toBeDefined();
  });

  it('is left open when it cannot be read', async () => {
    const rig = new ProcessingRig({ handlers });
    await rig.create();
    rig.server.intercept((request) => (request.verb === 'get' ? apiError(403, request, 'Forbidden') : undefined));
    await rig.change({ metadata: { annotations: {} } });
    expect(message(rig)).toMatch(/was removed by another client\. .* keep it\.$/);
    expect(rig.record).toBeDefined();
    expect(rig.causes).toEqual(['ensure create']);
  });
});
