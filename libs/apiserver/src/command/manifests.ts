import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from '../direct-client.js';
import { UsageError } from '../errors/usage.error.js';
import type { KubeObject } from '../json.js';

/** An object with the file that it was read from. */
export interface Manifest {
  readonly file: string;
  readonly object: KubeObject;
}

/** Whether an object defines a custom resource. */
export const isDefinition = ({ object }: Manifest): boolean => object.kind === 'CustomResourceDefinition';

/** The objects in files, and in the YAML and JSON files of folders (not of folders in them), in the order of names. */
export function readManifests(option: string, paths: readonly string[]): Manifest[] {
  return paths.flatMap((path) => filesOf(option, path).flatMap(objectsOf));
}

function filesOf(option: string, path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => /\.(ya?ml|json)$/i.test(name));
    if (names.length === 0) throw new UsageError(`${option} ${path} is a folder without YAML or JSON files.`);
    return names.sort().map((name) => join(path, name));
  } catch (error) {
    throw unreadable(`${option} ${path}`, error);
  }
}

function objectsOf(file: string): Manifest[] {
  try {
    return documents(readFileSync(file, 'utf8')).map((object) => ({ file, object }));
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(what: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error;
  return new UsageError(`${what} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
}
