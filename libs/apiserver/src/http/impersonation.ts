import { goQuote } from '../cel/library/go-quote.js';
import type { AccessAttributes } from '../access/access-attributes.js';
import type { Authorizer } from '../access/authorizer.js';
import {
  anonymous,
  authenticatedGroup,
  mastersGroup,
  serviceAccountGroups,
  serviceAccountOf,
  unauthenticatedGroup,
  type Identity,
} from '../access/identity.js';
import { failure } from '../status.js';
import { forbidden } from '../access/forbidden.js';
import { AccessRefused, authorize } from './authorization.js';
import { headerText } from './header-text.js';

const authenticationGroup = 'authentication.k8s.io';
const extraPrefix = 'impersonate-extra-';

/** Whom a request wants to act as, as its headers say it. */
interface Wanted {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** A way of being allowed to act as somebody else: `legacy` for everything, the others for one kind of user each. */
type Mode = 'arbitrary-node' | 'serviceaccount' | 'user-info' | 'legacy';

const modes: readonly Mode[] = ['arbitrary-node', 'serviceaccount', 'user-info', 'legacy'];

/** Lets requests act as another user, where the sender may do that. */
export class Impersonation {
  /** The mode that was right for a sender last, which is tried first and whose refusal is told. */
  readonly #lastModes = new Map<string, Mode>();

  constructor(private readonly authorizer: Authorizer) {}

  /**
   * Who the request is from in the end; `attributes` are those of the request with its own sender. Throws 400 or 403.
   *
   * @param headers - with all values of each
   */
  identify(attributes: AccessAttributes, headers: NodeJS.Dict<string[]>): Identity {
    const wanted = wantedOf(headers);
    if (wanted === undefined) return attributes.identity;
    const sender = attributes.identity.name;
    const last = this.#lastModes.get(sender);
    const order = last === undefined ? modes : [last, ...modes.filter((mode) => mode !== last)];
    let refused: unknown;
    for (const mode of order) {
      if (!fits(mode, wanted)) continue;
      try {
        const identity = this.#actAs(mode, wanted, attributes);
        this.#lastModes.set(sender, mode);
        return identity;
      } catch (error) {
        refused ??= error;
      }
    }
    throw refused;
  }

  #actAs(mode: Mode, wanted: Wanted, attributes: AccessAttributes): Identity {
    const { identity: sender } = attributes;
    const constrained = mode !== 'legacy';
    if (constrained) {
      authorize(this.authorizer, { ...attributes, verb: `impersonate-on:${mode}:${attributes.verb}` });
    }
    const verb = constrained ? `impersonate:${mode}` : 'impersonate';
    const ask = (
      plural: string,
      name: string,
      more: { group?: string; namespace?: string; subresource?: string } = {},
    ) => {
      const { group = constrained ? authenticationGroup : '', namespace, subresource } = more;
      authorize(this.authorizer, {
        identity: sender,
        verb,
        path: '',
        resource: { group, plural, name, namespace, subresource },
      });
    };
    let groups = wanted.groups;
    const account = serviceAccountOf(wanted.name);
    const node = constrained ? nodeOf(wanted.name) : undefined;
    if (account !== undefined) {
      ask('serviceaccounts', account.name, { namespace: account.namespace });
      if (groups.length === 0) groups = serviceAccountGroups(account.namespace);
    } else if (node !== undefined) {
      ask('nodes', node);
      groups = ['system:nodes'];
    } else {
      ask('users', wanted.name);
    }
    if (wanted.uid !== '') ask('uids', wanted.uid, { group: authenticationGroup });
    if (constrained) checkConstrained(sender, verb, wanted);
    for (const group of wanted.groups) ask('groups', group);
    for (const [key, values] of wanted.extra) {
      for (const value of values) ask('userextras', value, { group: authenticationGroup, subresource: key });
    }
    return {
      name: wanted.name,
      ...(wanted.uid === '' ? {} : { uid: wanted.uid }),
      groups: withStandingGroup(wanted.name, groups),
      ...(wanted.extra.size === 0 ? {} : { extra: Object.fromEntries(wanted.extra) }),
    };
  }
}

function fits(mode: Mode, { name, uid, groups, extra }: Wanted): boolean {
  const nameOnly = uid === '' && groups.length === 0 && extra.size === 0;
  const isAccount = serviceAccountOf(name) !== undefined;
  const isNode = nodeOf(name) !== undefined;
  if (mode === 'arbitrary-node') return nameOnly && isNode;
  if (mode === 'serviceaccount') return nameOnly && isAccount;
  return mode === 'legacy' || (!isNode && !isAccount);
}

const nodeOf = (user: string): string | undefined => /^system:node:(.+)$/.exec(user)?.[1];

function withStandingGroup(name: string, groups: readonly string[]): readonly string[] {
  const standing = name === anonymous.name ? unauthenticatedGroup : authenticatedGroup;
  return groups.includes(standing) || groups.includes(unauthenticatedGroup) ? groups : [...groups, standing];
}

/** What only the legacy mode lets anybody be. */
function checkConstrained(sender: Identity, verb: string, { groups, extra }: Wanted): void {
  const refuse = (plural: string, name: string, why: string): never => {
    const resource = { group: authenticationGroup, plural, subresource: undefined, namespace: undefined, name };
    throw new AccessRefused(forbidden({ identity: sender, verb, resource, path: '' }, why).status);
  };
  if (groups.includes('')) refuse('groups', '', 'impersonating the empty string group is not allowed');
  if (groups.includes(mastersGroup))
    refuse('groups', mastersGroup, `impersonating the ${mastersGroup} group is not allowed`);
  for (const [key, values] of extra) {
    if (!isDomainPrefixedPath(key)) {
      const why = `extra.key: Invalid value: ${goQuote(key)}: must be a domain-prefixed path (such as "acme.io/foo")`;
      refuse('userextras', '', `impersonating an invalid key in extra is not allowed: ${why}`);
    }
    if (values.includes('')) refuse('userextras', '', 'impersonating the empty string value in extra is not allowed');
  }
}

const isDomainPrefixedPath = (key: string): boolean =>
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(key);

function wantedOf(headers: NodeJS.Dict<string[]>): Wanted | undefined {
  const name = headerText(headers['impersonate-user']?.[0] ?? '');
  const uid = headers['impersonate-uid']?.[0] ?? '';
  const groups = (headers['impersonate-group'] ?? []).map(headerText);
  const extra = new Map<string, string[]>();
  for (const header of Object.keys(headers).sort()) {
    if (!header.startsWith(extraPrefix)) continue;
    const key = unescaped(header.slice(extraPrefix.length));
    extra.set(key, [...(extra.get(key) ?? []), ...headers[header]!.map(headerText)]);
  }
  if (name !== '') return { name, uid, groups, extra };
  if (uid === '' && groups.length === 0 && extra.size === 0) return undefined;
  const strings = groups.length === 0 ? '[]string(nil)' : goStrings(groups);
  const map =
    extra.size === 0
      ? 'map[string][]string(nil)'
      : `map[string][]string{${[...extra].map(([key, values]) => `${JSON.stringify(key)}:${goStrings(values)}`).join(', ')}}`;
  const user = `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:${strings}, Extra:${map}}`;
  throw new AccessRefused(failure('BadRequest', `requested ${user} without impersonating a user name`).status);
}

const goStrings = (texts: readonly string[]): string =>
  `[]string{${texts.map((text) => JSON.stringify(text)).join(', ')}}`;

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Malformed escapes are taken as they are.
    return text;
  }
}
