import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A loopback port that is free now. It lies below the range that systems hand out by themselves, so that nobody is
 * likely to get it while a server restarts on it.
 */
export async function freeLoopbackPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(15_000, 32_000);
    if (await canListen(port)) return port;
  }
  throw new Error('no free loopback port between 15000 and 32000 in 100 tries');
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
