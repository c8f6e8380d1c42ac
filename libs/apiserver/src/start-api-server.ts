import { everyAccount } from './access/authorizer.js';
import { RbacAuthorizer } from './access/rbac-authorizer.js';
import { Activity } from './activity.js';
import { ApiServer } from './api-server.js';
import type { ApiServerOptions } from './api-server-options.js';
import { systemClock } from './clock.js';
import { EventExpiry } from './controllers/event-expiry.js';
import { GarbageCollector } from './controllers/garbage-collector.js';
import { NamespaceController } from './controllers/namespace-controller.js';
import { RoleAggregation } from './controllers/role-aggregation.js';
import { DefinitionController } from './custom/definition-controller.js';
import { DirectClient } from './direct-client.js';
import { DocumentRoutes } from './discovery/document-routes.js';
import { InvalidOptionsError } from './errors/invalid-options.error.js';
import { FaultSet } from './faults/fault-set.js';
import { Authentication } from './http/authentication.js';
import { FieldManager } from './fields/field-manager.js';
import { VersionConversion } from './fields/version-conversion.js';
import { Exchange } from './http/exchange.js';
import { Impersonation } from './http/impersonation.js';
import { Listener } from './http/listener.js';
import { Rendering } from './http/rendering.js';
import type { ServerParts } from './http/server-parts.js';
import { optionProblems } from './option-problems.js';
import { Representations } from './pipeline/representations.js';
import { defaultLimits, type ServerContext } from './pipeline/server-context.js';
import { randomUuid } from './random.js';
import { RequestLog } from './request-log.js';
import { ResourceRegistry } from './resources/resource-registry.js';
import { renewDefinitions, seed } from './seeding.js';
import { StateFile } from './store/state-file.js';
import { Store } from './store/store.js';
import { WatchFrames } from './watching/watch-frames.js';
import { WatchHub } from './watching/watch-hub.js';
import { AdmissionCaller } from './webhooks/admission-caller.js';
import { AdmissionWebhooks } from './webhooks/admission-webhooks.js';
import { ConversionWebhooks } from './webhooks/conversion-webhooks.js';
import { WebhookClient } from './webhooks/webhook-client.js';
import { WebhookTargets } from './webhooks/webhook-targets.js';

function printInternalError(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`api server: internal error: ${text}\n`);
}

/**
 * Starts a Kubernetes API server on 127.0.0.1 that lives in this process and keeps everything in memory, and in a file
 * where `stateFile` names one.
 *
 * @throws InvalidOptionsError (`APISERVER_INVALID_OPTIONS`) for options that make no sense, and for definitions and
 * objects that the server refuses; StateFileInUseError (`APISERVER_STATE_FILE_IN_USE`) and CorruptStateFileError
 * (`APISERVER_CORRUPT_STATE_FILE`).
 */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const problems = optionProblems(options);
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  const onInternalError = options.onInternalError ?? printInternalError;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const registry = new ResourceRegistry();
  const store = new Store(options.historySize ?? 20_000);
  const closing = new AbortController();
  const activity = new Activity();
  const authorizer = options.authorization === 'rbac' ? new RbacAuthorizer(store) : everyAccount;
  const authentication = new Authentication(options.users);
  const webhookClient = new WebhookClient(clock, activity, closing.signal, new WebhookTargets(options.webhooks));
  const conversion = new ConversionWebhooks(webhookClient, random);
  const representations = new Representations(conversion);
  const admission = new AdmissionWebhooks(
    store,
    registry,
    representations,
    new AdmissionCaller(webhookClient, clock, random),
    authorizer,
  );
  const context: ServerContext = {
    store,
    registry,
    representations,
    clock,
    random,
    limits: { ...defaultLimits, ...options.limits },
    activity,
    onInternalError,
    authorizer,
    identityOfToken: (token) => authentication.ofToken(token),
    admission,
    fieldManagement: new FieldManager(new VersionConversion(registry, store, conversion), clock),
    closing: closing.signal,
  };
  let ids = 0;
  const listener = new Listener((request, response) => {
    new Exchange(parts, request, response).run();
  });
  const documents = new DocumentRoutes(registry, () => `127.0.0.1:${listener.port}`);
  const parts: ServerParts = {
    context,
    activity,
    requests: new RequestLog(),
    faults: new FaultSet(options.faultSeed ?? Math.floor(Math.random() * 2 ** 32), (refuse, keepOpen) =>
      listener.refuse(refuse, keepOpen),
    ),
    authentication,
    impersonation: new Impersonation(authorizer),
    flowControlHeaders: {
      'x-kubernetes-pf-flowschema-uid': randomUuid(random),
      'x-kubernetes-pf-prioritylevel-uid': randomUuid(random),
    },
    rendering: new Rendering(context),
    frames: new WatchFrames(representations),
    hub: new WatchHub(context),
    bookmarkInterval: options.bookmarkInterval ?? 60_000,
    documents: (url, headers) => documents.answer(url, headers),
    nextId: () => ++ids,
    auditId: () => randomUuid(random),
    onInternalError,
  };
  const kept = options.stateFile === undefined ? undefined : StateFile.open(options.stateFile, onInternalError);
  try {
    await listener.listen(options.port ?? 0);
  } catch (error) {
    kept?.file.close();
    throw error;
  }
  const controllers: { stop(): void }[] = [
    admission,
    new DefinitionController(context),
    new EventExpiry(context, options.eventTtl ?? 3_600_000),
    new RoleAggregation(context, activity, onInternalError),
  ];
  if (options.gc ?? true) controllers.push(new GarbageCollector(context, activity, onInternalError));
  if (options.namespaceController ?? true) {
    controllers.push(new NamespaceController(context, activity, onInternalError));
  }
  const client = new DirectClient(context);
  const api = new ApiServer(parts, client, listener.port, options.users ?? [], async () => {
    closing.abort();
    for (const controller of controllers) controller.stop();
    parts.hub.stop();
    for (const watch of parts.hub.all()) watch.session.end();
    await listener.close();
    kept?.file.close();
  });
  try {
    if (kept?.state !== undefined) {
      store.keepIn(kept.file, kept.state);
      await renewDefinitions(client, options);
    } else {
      await seed(client, options);
      // As after the start of a real server, nothing older than the present state can be asked for.
      store.compact();
      if (kept !== undefined) store.keepIn(kept.file);
    }
  } catch (error) {
    await api.close();
    throw error;
  }
  return api;
}
