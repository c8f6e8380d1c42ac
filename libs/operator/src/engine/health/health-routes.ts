/** What is sent back. */
export interface RouteAnswer {
  readonly status: number;
  /** The Content-Type. */
  readonly type: string;
  readonly body: string;
}

/** Answers a request. What it throws is logged, and answered with 500. */
export type RouteHandler = (request: {
  readonly query: URLSearchParams;
  /** The Accept header; empty where there is none. */
  readonly accept: string;
}) => Promise<RouteAnswer>;

/** What the health server answers besides health, by path. Others of the package may add to it at any time. */
export class HealthRoutes {
  readonly #handlers = new Map<string, RouteHandler>();

  /** `path` begins with a slash; a later handler of the same path takes the place of the former. Returns what removes it. */
  add(path: string, handler: RouteHandler): () => void {
    this.#handlers.set(path, handler);
    return () => {
      if (this.#handlers.get(path) === handler) this.#handlers.delete(path);
    };
  }

  find(path: string): RouteHandler | undefined {
    return this.#handlers.get(path);
  }

  get paths(): readonly string[] {
    return [...this.#handlers.keys()];
  }
}
