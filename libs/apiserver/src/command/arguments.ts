import { parseArgs } from 'node:util';
import { UsageError } from '../errors/usage.error.js';
import { kubernetesVersions } from '../kubernetes-version.js';

/** What the command was asked for. */
export interface CommandArguments {
  readonly port: number | undefined;
  readonly kubernetesVersion: string | undefined;
  readonly crds: readonly string[];
  readonly objects: readonly string[];
  readonly users: string | undefined;
  readonly authorization: string | undefined;
  readonly stateFile: string | undefined;
  readonly kubeconfig: string | undefined;
  readonly gc: boolean;
  readonly namespaceController: boolean;
  readonly output: 'quiet' | 'requests' | 'verbose';
}

export const usage = `Usage: npx @nestjs-operator/apiserver [options]

Starts a Kubernetes API server on 127.0.0.1 and tells every request that it answers. Ctrl-C ends it.

  --port <number>               port to listen on (default: a free one)
  --crds <file or folder>       CustomResourceDefinitions to begin with; may be given again
  --objects <file or folder>    other objects to begin with; may be given again
  --write-kubeconfig <file>     where to write a kubeconfig for the first account
  --state-file <file>           keep everything in this file, and go on from it at the next start
  --users <file>                accounts, a line each: token,name,uid,"group,group" (default: every request is let in)
  --authorization <mode>        authenticated: accounts may do everything (default); rbac: what roles grant them
  --kubernetes-version <minor>  ${kubernetesVersions.join(' or ')}
  --no-gc                       do not collect objects whose owners are gone
  --no-namespace-controller     do not empty namespaces that are deleted
  --verbose                     tell queries, user agents, and the end of watches as well
  --quiet                       tell no requests
  --version                     print the version and end
  --help                        print this and end

Exit codes: 0 after SIGINT or SIGTERM, 1 if it cannot start or go on, 2 if it is called in another way than above,
130 or 143 if a second signal ends it before it is done.
`;

const options = {
  port: { type: 'string' },
  crds: { type: 'string', multiple: true },
  objects: { type: 'string', multiple: true },
  'write-kubeconfig': { type: 'string' },
  'state-file': { type: 'string' },
  users: { type: 'string' },
  authorization: { type: 'string' },
  'kubernetes-version': { type: 'string' },
  'no-gc': { type: 'boolean' },
  'no-namespace-controller': { type: 'boolean' },
  verbose: { type: 'boolean' },
  quiet: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments after the name of the program. Throws UsageError. */
export function readArguments(args: readonly string[]): CommandArguments | 'help' | 'version' {
  const values = parse(args);
  if (values.help === true) return 'help';
  if (values.version === true) return 'version';
  if (values.verbose === true && values.quiet === true)
    throw new UsageError('--verbose and --quiet exclude each other.');
  return {
    port: values.port === undefined ? undefined : portOf(values.port),
    kubernetesVersion: values['kubernetes-version'],
    crds: values.crds ?? [],
    objects: values.objects ?? [],
    users: values.users,
    authorization: values.authorization,
    stateFile: values['state-file'],
    kubeconfig: values['write-kubeconfig'],
    gc: values['no-gc'] !== true,
    namespaceController: values['no-namespace-controller'] !== true,
    output: values.quiet === true ? 'quiet' : values.verbose === true ? 'verbose' : 'requests',
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || !code.startsWith('ERR_PARSE_ARGS')) throw error;
    throw new UsageError(message);
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new UsageError(`--port must be a number up to 65535, got ${text}.`);
  return port;
}
