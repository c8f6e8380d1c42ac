import 'reflect-metadata';
import {
  Daemon,
  OnCleanup,
  OnCreate,
  OnDelete,
  OnField,
  OnProbe,
  OnReconcile,
  OnStartup,
  OnWatchEvent,
  PRESENT,
  ResourceHandlers,
} from 'nestjs-operator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEmbeddedGrantingWorld } from '../../support/granting.js';
import { Gadget, Widget } from '../../support/kinds.js';
import { openWorld } from '../trials/open-world.js';

@ResourceHandlers(Widget)
class WidgetHandlers {
  @OnCreate()
  @OnField({ field: 'spec.size', labels: { tier: 'gold' } })
  ensure(): void {}

  @OnDelete({ annotations: { 'team.example.com/owner': PRESENT }, when: () => true })
  remove(): void {}

  @Daemon()
  async follow(): Promise<void> {}
}

@ResourceHandlers(Gadget)
class GadgetReconciler {
  @OnReconcile({ owns: ['configmaps.v1'], finalizer: false })
  reconcile(): void {}
}

@ResourceHandlers('pods.v1')
class PodWatch {
  @OnWatchEvent()
  note(): void {}

  @OnStartup()
  open(): void {}

  @OnCleanup()
  closeAll(): void {}

  @OnProbe({ fails: 'none' })
  depth(): number {
    return 0;
  }
}

const providers = [WidgetHandlers, GadgetReconciler, PodWatch];

describe('what an operator says of itself', () => {
  it('is complete, in order, and the same each time', async () => {
    const world = await createEmbeddedGrantingWorld();
    onTestFinished(() => world.close());
    const apiGroups = ['demo.example'];
    await world.grant(world.namespace, [
      { apiGroups, resources: ['widgets'], verbs: ['list', 'watch', 'get', 'patch'] },
      { apiGroups: [''], resources: ['pods', 'configmaps'], verbs: ['list', 'watch'] },
    ]);
    const { operator, logs } = await world.startOperator({
      providers,
      operator: {
        kubeConfig: world.kubeConfig,
        preflight: 'warn',
        namespaces: [world.namespace],
        access: [{ group: '', resources: ['secrets'], verbs: ['get'], names: ['mail'] }],
      },
      synced: false,
    });
    await world.until(() => logs.find({ message: 'The account lacks access' }).length > 0);
    const text = operator.describe('text');
    expect(text).toMatchInlineSnapshot(`
      "Operator test.example.com, namespaces default

      widgets.v1.demo.example
        ensure  WidgetHandlers.ensure  create, field  field spec.size, label tier
        remove  WidgetHandlers.remove  delete         annotation team.example.com/owner, when, finalizer
        follow  WidgetHandlers.follow  daemon         finalizer

      gadgets.v1.demo.example
        reconcile  GadgetReconciler.reconcile  reconcile  watches configmaps.v1

      pods.v1
        note  PodWatch.note  event

      Start-up
        PodWatch.open

      Clean-up
        PodWatch.closeAll

      Probes
        depth  PodWatch.depth  fails none

      Access
        list, watch    demo.example/widgets             in default  always     granted                 watch it
        get, patch     demo.example/widgets             in default  always     granted                 keep records and finalizers on it, and write what handlers change
        patch          demo.example/widgets/status      in default  sometimes  refused: patch          write results and records to its status
        list, watch    demo.example/gadgets             everywhere  always     refused: list, watch    watch it
        get, patch     demo.example/gadgets             everywhere  sometimes  refused: get, patch     write what handlers change
        patch          demo.example/gadgets/status      everywhere  sometimes  refused: patch          write results and records to its status
        update         demo.example/gadgets/finalizers  everywhere  sometimes  refused: update         make it the owner of what blocks its deletion
        list, watch    core/configmaps                  in default  always     granted                 watch it
        list, watch    core/pods                        in default  always     granted                 watch it
        get, patch     core/pods                        in default  sometimes  refused: get, patch     write what handlers change
        patch          core/pods/status                 in default  sometimes  refused: patch          write results and records to its status
        create, patch  events.k8s.io/events             in default  sometimes  refused: create, patch  post events about it
        get            core/secrets mail                in default  always     refused: get            used by the application itself
      "
    `);
    const description = operator.describe();
    expect(JSON.parse(JSON.stringify(description))).toMatchInlineSnapshot(`
      {
        "access": [
          {
            "group": "demo.example",
            "namespace": "default",
            "need": "always",
            "purpose": "watch it",
            "refused": [],
            "resource": "widgets",
            "verbs": [
              "list",
              "watch",
            ],
          },
          {
            "group": "demo.example",
            "namespace": "default",
            "need": "always",
            "purpose": "keep records and finalizers on it, and write what handlers change",
            "refused": [],
            "resource": "widgets",
            "verbs": [
              "get",
              "patch",
            ],
          },
          {
            "group": "demo.example",
            "namespace": "default",
            "need": "sometimes",
            "purpose": "write results and records to its status",
            "refused": [
              "patch",
            ],
            "resource": "widgets/status",
            "verbs": [
              "patch",
            ],
          },
          {
            "group": "demo.example",
            "need": "always",
            "purpose": "watch it",
            "refused": [
              "list",
              "watch",
            ],
            "resource": "gadgets",
            "verbs": [
              "list",
              "watch",
            ],
          },
          {
            "group": "demo.example",
            "need": "sometimes",
            "purpose": "write what handlers change",
            "refused": [
              "get",
              "patch",
            ],
            "resource": "gadgets",
            "verbs": [
              "get",
              "patch",
            ],
          },
          {
            "group": "demo.example",
            "need": "sometimes",
            "purpose": "write results and records to its status",
            "refused": [
              "patch",
            ],
            "resource": "gadgets/status",
            "verbs": [
              "patch",
            ],
          },
          {
            "group": "demo.example",
            "need": "sometimes",
            "purpose": "make it the owner of what blocks its deletion",
            "refused": [
              "update",
            ],
            "resource": "gadgets/finalizers",
            "verbs": [
              "update",
            ],
          },
          {
            "group": "",
            "namespace": "default",
            "need": "always",
            "purpose": "watch it",
            "refused": [],
            "resource": "configmaps",
            "verbs": [
              "list",
              "watch",
            ],
          },
          {
            "group": "",
            "namespace": "default",
            "need": "always",
            "purpose": "watch it",
            "refused": [],
            "resource": "pods",
            "verbs": [
              "list",
              "watch",
            ],
          },
          {
            "group": "",
            "namespace": "default",
            "need": "sometimes",
            "purpose": "write what handlers change",
            "refused": [
              "get",
              "patch",
            ],
            "resource": "pods",
            "verbs": [
              "get",
              "patch",
            ],
          },
          {
            "group": "",
            "namespace": "default",
            "need": "sometimes",
            "purpose": "write results and records to its status",
            "refused": [
              "patch",
            ],
            "resource": "pods/status",
            "verbs": [
              "patch",
            ],
          },
          {
            "group": "events.k8s.io",
            "namespace": "default",
            "need": "sometimes",
            "purpose": "post events about it",
            "refused": [
              "create",
              "patch",
            ],
            "resource": "events",
            "verbs": [
              "create",
              "patch",
            ],
          },
          {
            "group": "",
            "names": [
              "mail",
            ],
            "namespace": "default",
            "need": "always",
            "purpose": "used by the application itself",
            "refused": [
              "get",
            ],
            "resource": "secrets",
            "verbs": [
              "get",
            ],
          },
        ],
        "cleanup": [
          "PodWatch.closeAll",
        ],
        "name": "test.example.com",
        "namespaces": [
          "default",
        ],
        "probes": [
          {
            "fails": "none",
            "id": "depth",
            "origin": "PodWatch.depth",
          },
        ],
        "resources": [
          {
            "found": [
              "widgets.v1.demo.example",
            ],
            "handlers": [
              {
                "annotations": [],
                "fields": [
                  "spec.size",
                ],
                "finalizer": false,
                "id": "ensure",
                "labels": [
                  "tier",
                ],
                "on": [
                  "create",
                  "field",
                ],
                "origin": "WidgetHandlers.ensure",
                "watches": [],
                "when": false,
                "writes": true,
              },
              {
                "annotations": [
                  "team.example.com/owner",
                ],
                "fields": [],
                "finalizer": true,
                "id": "remove",
                "labels": [],
                "on": [
                  "delete",
                ],
                "origin": "WidgetHandlers.remove",
                "watches": [],
                "when": true,
                "writes": true,
              },
              {
                "annotations": [],
                "fields": [],
                "finalizer": true,
                "id": "follow",
                "labels": [],
                "on": [
                  "daemon",
                ],
                "origin": "WidgetHandlers.follow",
                "watches": [],
                "when": false,
                "writes": true,
              },
            ],
            "resource": "widgets.v1.demo.example",
          },
          {
            "found": [
              "gadgets.v1.demo.example",
            ],
            "handlers": [
              {
                "annotations": [],
                "fields": [],
                "finalizer": false,
                "id": "reconcile",
                "labels": [],
                "on": [
                  "reconcile",
                ],
                "origin": "GadgetReconciler.reconcile",
                "watches": [
                  "configmaps.v1",
                ],
                "when": false,
                "writes": false,
              },
            ],
            "resource": "gadgets.v1.demo.example",
          },
          {
            "found": [
              "pods.v1",
            ],
            "handlers": [
              {
                "annotations": [],
                "fields": [],
                "finalizer": false,
                "id": "note",
                "labels": [],
                "on": [
                  "event",
                ],
                "origin": "PodWatch.note",
                "watches": [],
                "when": false,
                "writes": false,
              },
            ],
            "resource": "pods.v1",
          },
        ],
        "startup": [
          "PodWatch.open",
        ],
      }
    `);
    expect([operator.describe('text'), operator.describe()]).toEqual([text, description]);
  });

  it('is what is declared, before anything is known of the cluster', async () => {
    const world = await openWorld();
    const { operator } = await world.startOperator({ providers, operator: { autoStart: false }, synced: false });
    expect(operator.describe('text')).toMatchInlineSnapshot(`
      "Operator test.example.com, all namespaces

      widgets.v1.demo.example (not found yet)
        ensure  WidgetHandlers.ensure  create, field  field spec.size, label tier
        remove  WidgetHandlers.remove  delete         annotation team.example.com/owner, when, finalizer
        follow  WidgetHandlers.follow  daemon         finalizer

      gadgets.v1.demo.example (not found yet)
        reconcile  GadgetReconciler.reconcile  reconcile  watches configmaps.v1

      pods.v1 (not found yet)
        note  PodWatch.note  event

      Start-up
        PodWatch.open

      Clean-up
        PodWatch.closeAll

      Probes
        depth  PodWatch.depth  fails none
      "
    `);
  });
});
