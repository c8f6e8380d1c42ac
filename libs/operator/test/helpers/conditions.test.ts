import { describe, expect, it } from 'vitest';
import { conditionOf, withCondition, type Condition } from '../../src/helpers/conditions.js';

const at = (seconds: number): Date => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds, 123));
const ready = { type: 'Ready', status: true, reason: 'AllThere', message: 'all there' };

describe('a condition', () => {
  it('is added with the time and the generation, after the others', () => {
    const other: Condition = {
      type: 'Synced',
      status: 'True',
      reason: 'X',
      message: '',
      lastTransitionTime: '2029-01-01T00:00:00Z',
    };
    const conditions = withCondition(
      { metadata: { generation: 3 }, status: { conditions: [other] }, now: at(1) },
      ready,
    );
    expect(conditions).toEqual([
      other,
      {
        type: 'Ready',
        status: 'True',
        reason: 'AllThere',
        message: 'all there',
        lastTransitionTime: '2030-01-01T00:00:01Z',
        observedGeneration: 3,
      },
    ]);
  });

  it('keeps its transition time and place until its status changes', () => {
    const first = withCondition({ meta: { generation: 1 }, now: at(1) }, ready);
    const both = withCondition({ status: { conditions: first }, now: at(2) }, { ...ready, type: 'Later' });
    const same = withCondition(
      { meta: { generation: 2 }, status: { conditions: both }, now: at(3) },
      { ...ready, reason: 'Still' },
    );
    expect(same.map(({ type }) => type)).toEqual(['Ready', 'Later']);
    expect(same[0]).toMatchObject({
      reason: 'Still',
      lastTransitionTime: '2030-01-01T00:00:01Z',
      observedGeneration: 2,
    });
    const [changed] = withCondition({ status: { conditions: same }, now: at(4) }, { ...ready, status: 'Unknown' });
    expect(changed).toMatchObject({ status: 'Unknown', lastTransitionTime: '2030-01-01T00:00:04Z' });
  });

  it('is found by its type, also where there is no status yet', () => {
    const status = { conditions: withCondition({ now: at(1) }, ready) };
    expect(conditionOf({ status }, 'Ready')?.status).toBe('True');
    expect(conditionOf({ status }, 'Other')).toBeUndefined();
    expect(conditionOf({}, 'Ready')).toBeUndefined();
    expect(conditionOf({ status: { conditions: 'nonsense' } }, 'Ready')).toBeUndefined();
  });
});
