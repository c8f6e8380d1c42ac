import { OnCreate, OnDelete, OnReconcile, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { Site } from './site.js';

@ResourceHandlers(Site)
export class MistakenHandlers {
  @OnCreate({ retries: 3 })
  @OnUpdate({ field: 'spec.title', retries: 5, value: 'a', old: 'b' })
  publish(): void {}

  @OnDelete({ optional: true, onGiveUp: 'hold' })
  withdraw(): void {}

  @OnReconcile()
  @OnCreate({ id: 'publish', timeout: '5 minutes' })
  reconcile(): void {}
}
