/** Tells of work that does not wait for time; `undefined` when there is none. */
export type BusyProbe = () => string | undefined;

/**
 * So many turns of the event loop without any work in flight, and nothing is left on its way: what one end of a loopback
 * connection wrote is there for the other end at the next poll, and each layer of streams may take a turn of its own.
 */
const calmTurns = 12;
/** Real milliseconds that work outside of the clock may take. */
const longestWork = 20_000;

/** Finds out when everything in this process has come to rest that does not wait for time. */
export class EventLoopRest {
  readonly #probes = new Set<BusyProbe>();

  /** Takes a probe. Returns what removes it. */
  watch(probe: BusyProbe): () => void {
    this.#probes.add(probe);
    return () => this.#probes.delete(probe);
  }

  /** @throws when a probe is still busy after 20 s of real time */
  async reached(): Promise<void> {
    const begun = performance.now();
    for (let calm = 0; calm < calmTurns; calm += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      const busy = [...this.#probes].map((probe) => probe()).find((work) => work !== undefined);
      if (busy === undefined) continue;
      calm = -1;
      if (performance.now() - begun > longestWork) {
        throw new Error(`No rest after ${longestWork} ms of real time: there is still ${busy}.`);
      }
    }
  }
}
