import { CustomResource, KubeObject } from 'nestjs-operator';

export interface WidgetSpec {
  readonly size?: number;
  readonly color?: string;
  /** Seconds. */
  readonly duration?: number;
  readonly items?: readonly string[];
}

/** Filled by the operators of `test/features`, each in its own way. */
export type WidgetStatus = Readonly<Record<string, unknown>>;

/** The widgets of `kinds.ts` as the operators of `test/features` see them: with types. */
@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Namespaced' })
export class Widget extends KubeObject<WidgetSpec, WidgetStatus> {}
