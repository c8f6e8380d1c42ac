import type { INestApplication } from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { HandlerExplorer } from '../../../src/discovery/handler.explorer.js';
import { buildRegistry, type HandlerRegistry } from '../../../src/discovery/handler.registry.js';
import { HandlerContext } from '../../../src/engine/handling/handler-context.js';
import type { ActivityContext } from '../../../src/engine/handling/handler-definition.js';
import { NestHandlerInvoker } from '../../../src/invocation/nest-handler-invoker.js';
import { containerOf } from '../../../src/lifecycle/container-closer.js';

export const object = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'one', namespace: 'team-a', uid: 'u1', labels: { app: 'x' }, annotations: { 'a.b/c': 'yes' } },
  spec: { size: '5', nested: { deep: 1 } },
  status: { ready: true },
};

/** What the engine hands over, as far as handlers here look at it. */
export function contextOf(namespace = 'team-a', signal = new AbortController().signal): HandlerContext {
  const meta = { ...object.metadata, namespace };
  const context = {
    signal,
    object: { ...object, metadata: meta },
    meta,
    spec: object.spec,
    status: object.status,
    old: { spec: { size: '4' } },
    new: { spec: { size: '5' } },
    diff: [
      { operation: 'change', path: ['spec', 'size'], old: '4', new: '5' },
      { operation: 'add', path: ['metadata', 'labels', 'app'], old: undefined, new: 'x' },
    ],
  };
  return context as unknown as HandlerContext;
}

export interface Harness {
  readonly registry: HandlerRegistry;
  invoke(id: string, context?: HandlerContext): Promise<unknown>;
  invokeActivity(id: string, context: ActivityContext): Promise<unknown>;
}

export async function harness(
  metadata: Parameters<typeof Test.createTestingModule>[0],
  http: boolean | ((app: INestApplication) => void) = false,
  globalEnhancers = false,
): Promise<Harness> {
  const module = await Test.createTestingModule(metadata).compile();
  if (http !== false) {
    const app = module.createNestApplication({ logger: false });
    if (http !== true) http(app);
    await app.init();
  }
  const { methods } = new HandlerExplorer(module.get(ModulesContainer)).explore();
  const registry = buildRegistry(methods);
  const moduleRef = module.get(ModuleRef);
  const invoker = new NestHandlerInvoker(registry, containerOf(moduleRef), moduleRef, { globalEnhancers });
  const byId = <T extends { readonly id: string }>(all: readonly T[], id: string): T => {
    const found = all.find((one) => one.id === id);
    if (found === undefined) throw new Error(`No handler has the id ${id}.`);
    return found;
  };
  return {
    registry,
    invoke: (id, context = contextOf()) => invoker.invoke(byId(registry.handlers, id), context),
    invokeActivity: (id, context) => invoker.invokeActivity(byId(registry.activities, id), context),
  };
}
