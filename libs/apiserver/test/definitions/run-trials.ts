import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Target } from '../conformance/target.js';
import { definitionFile } from './definition-files.js';
import { causesOf, contentOf, DefinitionUse } from './definition-use.js';
import type { Trial } from './trial.js';

const namespace = 'real-definitions';

/** Runs trials against a server, with the definitions of all of them in it. */
export function runTrials(trials: readonly Trial[], target: () => Target): void {
  const uses = new Map<Trial, DefinitionUse>();
  const useOf = (trial: Trial): DefinitionUse => uses.get(trial)!;

  beforeAll(async () => {
    for (const trial of trials) uses.set(trial, new DefinitionUse(target(), definitionFile(trial.plural), namespace));
    const all = [...uses.values()];
    await all[0]!.call('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    await Promise.all(all.map((use) => use.serve()));
  });

  afterAll(async () => {
    const all = [...uses.values()];
    await Promise.all(all.map((use) => use.remove()));
    await all[0]?.call('DELETE', `/api/v1/namespaces/${namespace}`);
  });

  describe.each(trials)('$plural: $shape', (trial) => {
    it('is found by discovery', async () => {
      const use = useOf(trial);
      const { group, scope, names, versions } = use.definition.spec;
      for (const { name, served, subresources } of versions) {
        const { status, json } = await use.get(`/apis/${group}/${name}`);
        if (!served && status === 404) continue;
        expect(status).toBe(200);
        const found = (json.resources as { name: string }[]).filter((one) => one.name.split('/')[0] === names.plural);
        const parts = Object.keys(subresources ?? {});
        expect(found.map((one) => one.name).toSorted()).toEqual(
          served ? [names.plural, ...parts.map((part) => `${names.plural}/${part}`)].toSorted() : [],
        );
        if (!served) continue;
        expect(found.find((one) => one.name === names.plural)).toMatchObject({
          kind: names.kind,
          singularName: names.singular,
          namespaced: scope === 'Namespaced',
          ...(names.shortNames === undefined ? {} : { shortNames: names.shortNames }),
          ...(names.categories === undefined ? {} : { categories: names.categories }),
        });
      }
    });

    it('is created, and read in every version', async () => {
      const use = useOf(trial);
      const created = await use.create('created', trial.object);
      expect(created.status, JSON.stringify(created.json)).toBe(201);
      expect(contentOf(created)).toEqual(trial.stored);
      expect(created.warnings).toEqual(trial.warnings ?? []);
      for (const { name, served } of use.definition.spec.versions) {
        const { status, json } = await use.get(`${use.objects(name)}/created`);
        expect(status).toBe(served ? 200 : 404);
        if (served) expect(json.apiVersion).toBe(`${use.definition.spec.group}/${name}`);
      }
      const read = await use.get(`${use.objects()}/created`);
      expect(contentOf(read)).toEqual(trial.stored);
    });

    it('is the same when it is sent again', async () => {
      const use = useOf(trial);
      const path = await use.given('again', trial.object);
      const { json } = await use.get(path);
      const answer = await use.call('PUT', path, json);
      expect(answer.status).toBe(200);
      if (trial.storesDefaultsLater === true) {
        expect(answer.json.metadata).toEqual({ ...json.metadata, resourceVersion: expect.any(String) as string });
        expect(answer.json.metadata.resourceVersion).not.toBe(json.metadata.resourceVersion);
      } else expect(answer.json.metadata).toEqual(json.metadata);
      expect(contentOf(answer)).toEqual(trial.stored);
    });

    it.each(Object.entries(trial.changes))('is changed: %s', async (title, { patch, stored, again }) => {
      const use = useOf(trial);
      const path = await use.given(nameOf('changed', title), trial.object);
      const answer = await use.patch(path, patch);
      expect(answer.status, JSON.stringify(answer.json)).toBe(200);
      expect(contentOf(answer)).toEqual(stored);
      expect(answer.json.metadata.generation).toBe(again === false ? 1 : 2);
      expect(contentOf(await use.get(path))).toEqual(stored);
    });

    it.each(Object.entries(trial.refusals))('is refused: %s', async (title, { patch, object, causes }) => {
      const use = useOf(trial);
      const name = nameOf('refused', title);
      const answer =
        patch === undefined
          ? await use.create(name, object!)
          : await use.patch(await use.given(name, trial.object), patch);
      expect(answer.status, JSON.stringify(answer.json)).toBe(422);
      expect(causesOf(answer)).toEqual(causes.toSorted());
      if (patch === undefined) expect((await use.get(`${use.objects()}/${name}`)).status).toBe(404);
      else expect(contentOf(await use.get(`${use.objects()}/${name}`))).toEqual(trial.stored);
    });

    const further = Object.entries(trial.further ?? {});
    if (further.length > 0) it.each(further)('%s', (_, body) => body(useOf(trial)));

    it('is deleted', async () => {
      const use = useOf(trial);
      const path = await use.given('deleted', trial.object);
      expect((await use.call('DELETE', path)).status).toBe(200);
      expect((await use.get(path)).status).toBe(404);
    });
  });
}

const nameOf = (prefix: string, title: string): string =>
  `${prefix}-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
