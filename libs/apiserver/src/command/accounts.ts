import { readFileSync } from 'node:fs';
import { UsageError } from '../errors/usage.error.js';
import type { ApiUser } from '../http/authentication.js';

/** Reads accounts as kube-apiserver's `--token-auth-file` has them: `token,name,uid,"group,group"`, a line each. */
export function readAccounts(file: string): ApiUser[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--users ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const users = text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [token, name, , groups = ''] = fields(line);
    // The line itself is a secret.
    if (!token || !name) throw new UsageError(`--users ${file}: line ${index + 1} has no token or no name.`);
    return [{ name, token, groups: groups.split(',').filter((group) => group !== '') }];
  });
  if (users.length === 0) throw new UsageError(`--users ${file} names no account.`);
  return users;
}

/** The fields of a line of comma-separated values, quoted ones included. */
function fields(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:\s*"((?:[^"]|"")*)"\s*|([^,]*))/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'),
  );
}
