import type { AccessAttributes } from '../access/access-attributes.js';
import type { Identity } from '../access/identity.js';
import { isObject, type JsonObject } from '../json.js';
import type { ServerContext } from '../pipeline/server-context.js';

/** Whom tokens are for, unless they say otherwise: the server itself. */
const ownAudience = 'https://kubernetes.default.svc';

/** The status of an access review. Without `identity` the question is about the user in the spec. */
export function reviewAccess(context: ServerContext, identity: Identity | undefined, spec: JsonObject): JsonObject {
  const { allowed, reason, error } = context.authorizer.decide(attributesIn(identity ?? subjectIn(spec), spec));
  return {
    allowed,
    ...(reason === '' ? {} : { reason }),
    ...(error === undefined ? {} : { evaluationError: error }),
  };
}

function attributesIn(identity: Identity, { resourceAttributes, nonResourceAttributes }: JsonObject): AccessAttributes {
  if (!isObject(resourceAttributes)) {
    const attributes = isObject(nonResourceAttributes) ? nonResourceAttributes : {};
    return { identity, verb: text(attributes['verb']), resource: undefined, path: text(attributes['path']) };
  }
  const { verb, group, resource, subresource, namespace, name } = resourceAttributes;
  const optional = (value: unknown): string | undefined => (text(value) === '' ? undefined : text(value));
  return {
    identity,
    verb: text(verb),
    resource: {
      group: text(group),
      plural: text(resource),
      subresource: optional(subresource),
      namespace: optional(namespace),
      name: optional(name),
    },
    path: '',
  };
}

function subjectIn({ user, groups, uid, extra }: JsonObject): Identity {
  return {
    name: text(user),
    ...(text(uid) === '' ? {} : { uid: text(uid) }),
    groups: Array.isArray(groups) ? (groups as string[]) : [],
    ...(isObject(extra) ? { extra: extra as Record<string, string[]> } : {}),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The status of a SelfSubjectRulesReview. */
export function ownRules(context: ServerContext, identity: Identity, namespace: string): JsonObject {
  const { rules, error } = context.authorizer.rulesOf(identity, namespace);
  const filled = (list: readonly string[] | undefined): list is readonly string[] =>
    list !== undefined && list.length > 0;
  return {
    resourceRules: rules
      .filter(({ resources }) => filled(resources))
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        ...(filled(apiGroups) ? { apiGroups } : {}),
        resources,
        ...(filled(resourceNames) ? { resourceNames } : {}),
      })),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => filled(nonResourceURLs))
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
    ...(error === undefined ? {} : { evaluationError: error }),
  };
}

/** The status of a TokenReview. */
export function reviewToken(context: ServerContext, token: string, audiences: readonly string[]): JsonObject {
  const identity = context.identityOfToken(token);
  if (identity === undefined || (audiences.length > 0 && !audiences.includes(ownAudience))) {
    return { user: {}, error: 'invalid bearer token' };
  }
  return { authenticated: true, user: userInfo(identity), audiences: [ownAudience] };
}

/** An account as the API shows it. */
export function userInfo({ name, uid, groups, extra }: Identity): JsonObject {
  return {
    username: name,
    ...(uid === undefined ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(extra === undefined || Object.keys(extra).length === 0
      ? {}
      : {
          extra: Object.fromEntries(
            Object.keys(extra)
              .sort()
              .map((key) => [key, extra[key]]),
          ),
        }),
  };
}
