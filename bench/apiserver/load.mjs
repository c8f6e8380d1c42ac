// @ts-check
import { setImmediate as turn } from 'node:timers/promises';
import { Pool } from 'undici';

/** @typedef {import('./servers.mjs').Server} Server */

const configMaps = '/api/v1/namespaces/default/configmaps';

/** Requests over a pool of kept connections. */
export class Load {
  /** @param {Server} server @param {number} connections */
  constructor(server, connections) {
    this.headers = {
      'content-type': 'application/json',
      ...(server.token === undefined ? {} : { authorization: `Bearer ${server.token}` }),
    };
    this.pool = new Pool(server.url, {
      connections,
      pipelining: 1,
      ...(server.ca === undefined ? {} : { connect: { ca: server.ca } }),
    });
  }

  /** @param {string} method @param {string} path @param {unknown} [body] */
  async ask(method, path, body, headers = {}) {
    const { statusCode, body: answer } = await this.pool.request({
      method: /** @type {import('undici').Dispatcher.HttpMethod} */ (method),
      path,
      headers: { ...this.headers, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const bytes = await answer.bytes();
    if (statusCode >= 400)
      throw new Error(`${method} ${path}: ${statusCode} ${Buffer.from(bytes).toString().slice(0, 300)}`);
    return bytes;
  }

  /**
   * Does `count` requests, as many at a time as there are connections.
   *
   * @param {number} count @param {number} atATime @param {(index: number) => Promise<unknown>} one
   */
  async many(count, atATime, one) {
    let next = 0;
    await Promise.all(
      Array.from({ length: atATime }, async () => {
        while (next < count) await one(next++);
      }),
    );
  }

  /** @param {string} name @param {string} value */
  create(name, value) {
    return this.ask('POST', configMaps, configMap(name, value));
  }

  /** @param {string} name */
  get(name) {
    return this.ask('GET', `${configMaps}/${name}`);
  }

  /** @param {string} name @param {string} value */
  patch(name, value) {
    return this.ask(
      'PATCH',
      `${configMaps}/${name}`,
      { data: { value } },
      { 'content-type': 'application/merge-patch+json' },
    );
  }

  /** @param {string} name */
  remove(name) {
    return this.ask('DELETE', `${configMaps}/${name}`);
  }

  list() {
    return this.ask('GET', configMaps);
  }

  /**
   * Opens watches and resolves with what tells when all of them have seen so many lines.
   *
   * @param {number} count
   */
  async watches(count) {
    let lines = 0;
    const ending = new AbortController();
    const streams = await Promise.all(
      Array.from({ length: count }, async () => {
        const { body } = await this.pool.request({
          method: 'GET',
          path: `${configMaps}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
          headers: this.headers,
          signal: ending.signal,
          headersTimeout: 0,
          bodyTimeout: 0,
        });
        return body;
      }),
    );
    for (const body of streams) {
      body.on('data', (/** @type {Buffer} */ chunk) => {
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
      });
      body.on('error', () => undefined); // They end by the abort.
    }
    return {
      /** @param {number} each */
      async seen(each) {
        while (lines < each * count) await turn();
      },
      close: () => ending.abort(),
    };
  }

  close() {
    return this.pool.destroy();
  }
}

/** @param {string} name @param {string} value */
function configMap(name, value) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      labels: { app: 'bench', tier: 'back' },
      annotations: { 'bench.example/note': 'twelve words make a note that is as long as most are' },
    },
    data: { value, text: 'x'.repeat(200) },
  };
}
