import type { ApiClient } from '../client/api-client.js';
import type { AccessRule } from './access-rule.js';

/** What the server says of access that is needed. */
export interface AccessFindings {
  /** The rules of which everything could be asked, with the verbs that are refused. */
  readonly answers: ReadonlyArray<{ readonly rule: AccessRule; readonly refused: readonly string[] }>;
  /** With only those verbs that are refused. */
  readonly missing: readonly AccessRule[];
  /** Set where reviews could not be had: why, of the first one. */
  readonly unknown: { readonly rules: number; readonly cause: unknown } | undefined;
}

/** One question to the server. */
interface Question {
  readonly rule: AccessRule;
  readonly verb: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

const atOnce = 4;
const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/**
 * Asks the server whether the account is allowed all of this. What is needed in several namespaces is asked for in all of them
 * first. Rejects only when the signal is aborted.
 */
export async function reviewAccess(
  client: Pick<ApiClient, 'request'>,
  access: readonly AccessRule[],
  signal: AbortSignal,
): Promise<AccessFindings> {
  const everywhere = new Map<string, Promise<boolean>>();
  const refused = new Map<AccessRule, Set<string>>();
  const failures: { readonly rule: AccessRule; readonly cause: unknown }[] = [];

  const ask = async ({ rule, verb, namespace, name }: Question): Promise<boolean> => {
    const [resource, subresource] = rule.resource.split('/', 2);
    const attributes = { group: rule.group, version: '*', resource, subresource, verb, namespace, name };
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: attributes },
    };
    const { body: answer } = await client.request<{ readonly status?: { readonly allowed?: boolean } }>({
      verb: 'create',
      path,
      body,
      // It changes nothing, so that it may be repeated.
      retry: 'reads',
      signal,
    });
    return answer.status?.allowed === true;
  };
  const allowedEverywhere = (question: Question): Promise<boolean> => {
    const { rule, verb, name } = question;
    const key = JSON.stringify([rule.group, rule.resource, verb, name]);
    const asked = everywhere.get(key) ?? ask({ ...question, namespace: undefined });
    everywhere.set(key, asked);
    return asked;
  };
  const decide = async (question: Question): Promise<void> => {
    const { rule, verb } = question;
    try {
      const wide = question.namespace !== undefined && isInSeveral(rule, access);
      const allowed = (wide && (await allowedEverywhere(question))) || (await ask(question));
      if (!allowed) refused.set(rule, (refused.get(rule) ?? new Set()).add(verb));
    } catch (cause) {
      signal.throwIfAborted();
      failures.push({ rule, cause });
    }
  };

  const questions = access.flatMap(questionsOf).values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const question of questions) await decide(question);
    }),
  );
  const [first] = failures;
  const refusedOf = (rule: AccessRule): readonly string[] =>
    rule.verbs.filter((verb) => refused.get(rule)?.has(verb) === true);
  const failed = new Set(failures.map(({ rule }) => rule));
  return {
    answers: access.filter((rule) => !failed.has(rule)).map((rule) => ({ rule, refused: refusedOf(rule) })),
    missing: access.map((rule) => ({ ...rule, verbs: refusedOf(rule) })).filter(({ verbs }) => verbs.length > 0),
    unknown: first && { rules: failed.size, cause: first.cause },
  };
}

function questionsOf(rule: AccessRule): Question[] {
  const { verbs, namespace, names = [undefined] } = rule;
  return names.flatMap((name) => verbs.map((verb) => ({ rule, verb, namespace, name })));
}

function isInSeveral(rule: AccessRule, access: readonly AccessRule[]): boolean {
  return access.some(
    (other) => other.group === rule.group && other.resource === rule.resource && other.namespace !== rule.namespace,
  );
}
