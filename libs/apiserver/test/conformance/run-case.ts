import { randomInt } from 'node:crypto';
import { widgetDefinition } from '../support/fixtures.js';
import type { JsonObject } from '../../src/index.js';
import type { Alteration } from './alterations.js';
import type { Entry } from './normalise.js';
import { Session, type ConformanceCase } from './session.js';
import { send, type Target } from './target.js';

export type Transcript = readonly Entry[];

/** The definition that the cases use, in an API group of their own. */
export const conformanceDefinition: JsonObject = {
  ...structuredClone(widgetDefinition),
  metadata: { name: 'widgets.conformance.example.com' },
  spec: { ...(structuredClone(widgetDefinition)['spec'] as JsonObject), group: 'conformance.example.com' },
};

/** Makes sure that the definition is served. The real server lets the first creates after that wait. */
export async function prepare(target: Target): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await send(target, { method: 'POST', path, body: conformanceDefinition });
  const end = Date.now() + 30_000;
  for (;;) {
    const answer = await send(target, { method: 'GET', path: '/apis/conformance.example.com/v1/widgets' });
    if (answer.status === 200) return;
    if (Date.now() > end) throw new Error(`the definition is not served after 30 s: ${answer.status} ${answer.text}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Always of the same length: error messages show the beginnings of bodies. */
const newNamespace = (): string => `conf-${randomInt(36 ** 7, 36 ** 8).toString(36)}`;

/** Runs a case in a new namespace and answers what the server said; `alter` changes it, to see that this is noticed. */
export async function runCase(target: Target, { run }: ConformanceCase, alter?: Alteration): Promise<Transcript> {
  const namespace = newNamespace();
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  const created = await send(target, { method: 'POST', path: '/api/v1/namespaces', body });
  if (created.status !== 201) throw new Error(`no namespace for the case: ${created.status} ${created.text}`);
  const session = new Session(target, namespace);
  try {
    await run(session);
  } finally {
    await session.end();
    await send(target, { method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
  }
  return session.transcript(alter);
}
