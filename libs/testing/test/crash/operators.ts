import { Inject } from '@nestjs/common';
import {
  ApiError,
  CustomResource,
  HandlerContext,
  KubeClient,
  KubeObject,
  OnCreate,
  OnDelete,
  OnResume,
  OnUpdate,
  ResourceHandlers,
  TemporaryError,
  type ResourceRef,
  type StoredObject,
} from 'nestjs-operator';
import type { CrashScenario } from '../../src/index.js';

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Site', plural: 'sites', scope: 'Namespaced' })
export class Site extends KubeObject<{ title: string }, { url?: string; checked?: boolean; pages?: number }> {}

const configMaps: ResourceRef<StoredObject> = { apiVersion: 'v1', kind: 'ConfigMap' };
const siteRef = { apiVersion: 'demo.example/v1', kind: 'Site', name: 'home', namespace: 'default' };

/** A Site is made, changed and deleted. */
export const workload: CrashScenario['workload'] = async ({ api, settled, advance }) => {
  await api.create({ ...siteRef, metadata: { name: 'home', namespace: 'default' }, spec: { title: 'one' } });
  await settled();
  await api.patch(siteRef, { spec: { title: 'two' } });
  await advance('20s');
  await api.delete(siteRef);
  await settled();
};

/** Keeps a ConfigMap per Site, fails once per change, and cleans up after itself: all of it can be done twice. */
@ResourceHandlers(Site)
export class RightHandlers {
  constructor(@Inject(KubeClient) private readonly client: KubeClient) {}

  @OnCreate()
  @OnUpdate({ field: 'spec.title' })
  async publish(ctx: HandlerContext<Site>): Promise<{ url: string }> {
    const { name } = ctx.meta;
    await this.client.apply(
      configMaps,
      { metadata: { name: `page-${name}`, namespace: 'default' }, data: { title: ctx.spec.title } } as never,
      { fieldManager: 'pages' },
    );
    return { url: `https://${name}.example/${ctx.spec.title}` };
  }

  @OnUpdate({ field: 'spec.title' })
  check(ctx: HandlerContext<Site>): { checked: boolean } {
    if (ctx.retry === 0) throw new TemporaryError('not there yet', { delay: '5s' });
    return { checked: true };
  }

  @OnResume()
  resume(): void {}

  @OnDelete()
  async takeDown(ctx: HandlerContext<Site>): Promise<void> {
    try {
      await this.client.delete(configMaps, { name: `page-${ctx.meta.name}`, namespace: 'default' });
    } catch (error) {
      if (!(error instanceof ApiError && error.isNotFound)) throw error;
    }
  }
}

/** Makes another page whenever it is called, under a name that the server invents. */
@ResourceHandlers(Site)
export class DoublingHandlers {
  constructor(@Inject(KubeClient) private readonly client: KubeClient) {}

  @OnCreate()
  async publish(): Promise<void> {
    await this.client.create(configMaps, { metadata: { generateName: 'page-', namespace: 'default' } });
  }
}

/** Holds what is still to be done in memory only. */
@ResourceHandlers(Site)
export class ForgetfulHandlers {
  private readonly begun = new Set<string>();

  constructor(@Inject(KubeClient) private readonly client: KubeClient) {}

  @OnCreate()
  begin(ctx: HandlerContext<Site>): { pages: number } {
    this.begun.add(ctx.meta.uid);
    return { pages: 0 };
  }

  @OnUpdate({ field: 'status.pages' })
  async end(ctx: HandlerContext<Site>): Promise<void> {
    if (!this.begun.has(ctx.meta.uid)) return;
    await this.client.apply(
      configMaps,
      { metadata: { name: `page-${ctx.meta.name}`, namespace: 'default' } },
      { fieldManager: 'pages' },
    );
  }
}
