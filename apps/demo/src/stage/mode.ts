/** What the demo is asked to do. */
export interface Mode {
  /** `stay`: until Ctrl-C. `once`: play the scenes and end. `crash`: meet an unrecoverable error. */
  readonly play: 'stay' | 'once' | 'crash';
  /** Work on the cluster of the kubeconfig, not on an embedded server. */
  readonly cluster: boolean;
}

export const usage = `Usage: npm start -- [--once | --crash] [--cluster]

  (nothing)   run the operator on an embedded API server until Ctrl-C
  --once      play create, resize, relabel, bad input and delete, then end
  --crash     show what an unrecoverable error does (embedded server only)
  --cluster   use the cluster of KUBECONFIG instead of the embedded server`;

/** @throws an error whose message is for the user's eyes */
export function readMode(args: readonly string[]): Mode {
  const unknown = args.filter((arg) => !['--once', '--crash', '--cluster'].includes(arg));
  if (unknown.length > 0) throw new Error(`Unknown argument ${unknown.join(' ')}.\n\n${usage}`);
  const [once, crash, cluster] = ['--once', '--crash', '--cluster'].map((flag) => args.includes(flag)) as [
    boolean,
    boolean,
    boolean,
  ];
  if (once && crash) throw new Error(`--once and --crash exclude each other.\n\n${usage}`);
  if (crash && cluster)
    throw new Error(`--crash makes the API server fail, which only the embedded one does.\n\n${usage}`);
  return { play: once ? 'once' : crash ? 'crash' : 'stay', cluster };
}
