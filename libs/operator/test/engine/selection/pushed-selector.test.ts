import { describe, expect, it } from 'vitest';
import {
  ABSENT,
  PRESENT,
  type HandlerDefinition,
  type HandlerFilter,
  type Trigger,
} from '../../../src/engine/handling/handler-definition.js';
import { pushedSelector } from '../../../src/engine/selection/pushed-selector.js';

/** One handler for each list of filters, with a trigger for each filter. */
function handlers(...filters: ReadonlyArray<readonly HandlerFilter[]>): HandlerDefinition[] {
  return filters.map((own, index) => ({
    id: `h${index}`,
    origin: `Handlers.h${index}`,
    resource: { plural: 'widgets' },
    triggers: own.map((filter): Trigger => ({ on: 'event', filter })),
    policy: { errors: 'temporary', abortOnChange: false, result: 'merge' },
  }));
}

const name = (value: unknown): HandlerFilter => ({ field: ['metadata', 'name'], value });

describe('what is pushed to the server', () => {
  it.each<[string, HandlerDefinition[], string | undefined]>([
    ['one text', handlers([{ labels: { a: 'x' } }]), 'a=x'],
    ['several texts', handlers([{ labels: { a: 'x' } }, { labels: { a: 'y' } }]), 'a in (x,y)'],
    ['any value', handlers([{ labels: { a: 'x' } }], [{ labels: { a: PRESENT } }]), 'a'],
    ['no value', handlers([{ labels: { a: ABSENT } }], [{ labels: { a: ABSENT } }]), '!a'],
    ['several keys', handlers([{ labels: { a: 'x', 'team.example/b': PRESENT, c: ABSENT } }]), 'a=x,team.example/b,!c'],
    ['what all agree on', handlers([{ labels: { a: 'x', b: 'y' } }], [{ labels: { a: 'x' } }]), 'a=x'],
    ['nothing, where one has no condition', handlers([{ labels: { a: 'x' } }], [{}]), undefined],
    ['nothing, where one trigger has none', handlers([{ labels: { a: 'x' } }, {}]), undefined],
    ['nothing for a function', handlers([{ labels: { a: () => true } }]), undefined],
    ['the rest beside a function', handlers([{ labels: { a: () => true, b: 'y' } }]), 'b=y'],
    ['nothing for present and absent', handlers([{ labels: { a: PRESENT } }], [{ labels: { a: ABSENT } }]), undefined],
    ['nothing for what no label can be', handlers([{ labels: { a: 'no label', 'b c': 'x', d: '' } }]), undefined],
    ['nothing without handlers', [], undefined],
    ['nothing for annotations', handlers([{ annotations: { a: 'x' } }]), undefined],
  ])('%s', (_, given, expected) => {
    expect(pushedSelector(given)?.labelSelector).toBe(expected);
  });

  it('is also a name or namespace that all want', () => {
    expect(pushedSelector(handlers([name('one')], [name('one')]))?.fieldSelector).toBe('metadata.name=one');
    expect(pushedSelector(handlers([name('one')], [name('two')]))).toBeUndefined();
    expect(pushedSelector(handlers([name(PRESENT)]))).toBeUndefined();
    expect(
      pushedSelector(handlers([{ field: ['metadata', 'namespace'], value: 'team-a', labels: { a: 'x' } }])),
    ).toMatchObject({
      labelSelector: 'a=x',
      fieldSelector: 'metadata.namespace=team-a',
    });
  });

  it('selects as the server does', () => {
    const selector = pushedSelector(
      handlers([{ labels: { a: 'x', b: PRESENT, c: ABSENT } }, { labels: { a: 'y', b: 'z', c: ABSENT } }]),
    );
    const selects = (labels?: Record<string, string>): boolean | undefined =>
      selector?.selects({ name: 'one', ...(labels === undefined ? {} : { labels }) });
    expect(selector?.labelSelector).toBe('a in (x,y),b,!c');
    expect([selects({ a: 'x', b: '' }), selects({ a: 'y', b: 'any' })]).toEqual([true, true]);
    const outside = [undefined, { a: 'x' }, { b: 'any' }, { a: 'w', b: 'any' }, { a: 'x', b: 'any', c: '' }];
    expect(outside.map((labels) => selects(labels))).toEqual([false, false, false, false, false]);
  });
});
