import type { OpenWatch, WatchHub } from './watch-hub.js';

/** Which open watches something is for. */
export interface WatchFilter {
  /** Plural, or `plural.group`. */
  resource?: string;
  namespace?: string;
  user?: string;
}

/** An open watch, as it is listed. */
export interface WatchInfo {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly user: string | undefined;
  /** Revision up to which it has been told everything. */
  readonly revision: number;
}

/** How a watch is broken. */
export type WatchCut = 'end' | 'reset' | 'midline' | 'stall';

/** The open watches of a server. */
export class Watches {
  constructor(private readonly hub: WatchHub) {}

  list(filter: WatchFilter = {}): WatchInfo[] {
    return this.#select(filter).map(({ session, user }) => {
      const { type, namespace } = session.request;
      return {
        group: type.group,
        version: type.version,
        resource: type.plural,
        namespace,
        user,
        revision: session.position,
      };
    });
  }

  /**
   * Breaks open watches: a clean end, a reset, half a line and a reset, or silence on a connection that stays open.
   * Answers how many.
   */
  cut({ how, ...filter }: WatchFilter & { how: WatchCut }): number {
    const watches = this.#select(filter);
    for (const watch of watches) {
      if (how === 'end') watch.session.end();
      else if (how === 'stall') watch.stall();
      else {
        if (how === 'midline') watch.raw(Buffer.from('{"type":"MODIFIED","object":{"kind":"'));
        // The half line has to leave before the connection does.
        if (how === 'midline') setImmediate(() => watch.reset());
        else watch.reset();
      }
    }
    return watches.length;
  }

  /** Writes a line as it is, with a line feed, into open watches. Answers how many. */
  inject(line: string, filter: WatchFilter = {}): number {
    const watches = this.#select(filter);
    for (const watch of watches) watch.raw(Buffer.from(`${line}\n`));
    return watches.length;
  }

  #select({ resource, namespace, user }: WatchFilter): OpenWatch[] {
    return this.hub.all().filter((watch) => {
      const { type, namespace: scope } = watch.session.request;
      return (
        (resource === undefined || resource === type.plural || resource === `${type.plural}.${type.group}`) &&
        (namespace === undefined || namespace === scope) &&
        (user === undefined || user === watch.user)
      );
    });
  }
}
