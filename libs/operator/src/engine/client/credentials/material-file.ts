import { readFile } from 'node:fs/promises';
import { CredentialsError } from '../../../errors/credentials.error.js';
import type { Authenticator } from './authenticator.js';
import type { Material } from './cluster-access.js';

/** Mounted tokens, certificates and CAs are replaced while the process runs. */
export const fileLifetime = 60_000;

const lasting = new Set(['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'EPERM']);

/** The material's text. `what` names it in errors. */
export async function readMaterial(material: Material, what: string): Promise<string> {
  if ('value' in material) return material.value;
  try {
    return await readFile(material.file, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    if (!lasting.has(code)) throw cause;
    throw new CredentialsError(
      `The ${what} ${material.file} cannot be read (${code}). Check that it exists and that this process may read it.`,
      { cause },
    );
  }
}

/** A bearer token from a file. */
export function tokenFileAuthenticator(file: string): Authenticator {
  return {
    renewable: true,
    async obtain() {
      const token = (await readMaterial({ file }, 'token file')).trim();
      if (token === '') throw new Error(`The token file ${file} is empty.`);
      return { authorization: `Bearer ${token}`, renewAfter: fileLifetime };
    },
  };
}
