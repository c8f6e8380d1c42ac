import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { expect, test } from 'vitest';
import { demoManifests } from '../src/deploy/demo-manifests.js';

const file = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('manifests/operator.yaml is what `npm run manifests` makes of the handlers', async () => {
  const texts = (await demoManifests()).map((manifest) => stringify(manifest, { aliasDuplicateObjects: false }));
  expect(file('manifests/operator.yaml')).toBe(texts.join('---\n'));
});

test('its rights are those of the handlers, of the election and of the declared access, and no wildcard', async () => {
  const roles = (await demoManifests()).filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role');
  expect(roles.map(({ kind, metadata }) => [kind, metadata.namespace])).toEqual(
    [
      ['Role', 'ephemeral-volumes'],
      ['ClusterRole', undefined],
    ].toSorted(([a], [b]) => (a ?? '').localeCompare(b ?? '')),
  );
  const rules = roles.flatMap(
    (role) => role['rules'] as { apiGroups: string[]; resources: string[]; verbs: string[] }[],
  );
  expect(JSON.stringify(rules)).not.toContain('*');
  const verbs = (resource: string): string[] =>
    rules.filter(({ resources }) => resources.includes(resource)).flatMap((rule) => rule.verbs);
  expect(verbs('persistentvolumeclaims').toSorted()).toEqual(['create', 'get', 'list', 'patch', 'watch']);
  expect(verbs('ephemeralvolumeclaims').toSorted()).toEqual(['get', 'list', 'patch', 'watch']);
  expect(verbs('ephemeralvolumeclaims/status')).toEqual(['patch']);
  expect(verbs('ephemeralvolumeclaims/finalizers')).toEqual(['update']);
  expect(verbs('leases').toSorted()).toEqual(['create', 'get', 'update']);
});

test('the image runs node itself, as a user that is not root, on what the build makes', () => {
  const lines = file('Dockerfile')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  expect(last.find((line) => line.startsWith('USER '))).toMatch(/^USER [1-9]\d*:[1-9]\d*$/);
  const command = JSON.parse(last.find((line) => line.startsWith('CMD '))?.slice(4) ?? '') as string[];
  expect(command).toEqual(['node', 'apps/demo/dist/operator.js']);
  expect(file('src/operator.ts')).toContain('runOperator(');
});
