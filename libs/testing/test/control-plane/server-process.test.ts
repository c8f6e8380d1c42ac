import { describe, expect, it, onTestFinished } from 'vitest';
import { DataFolder } from '../../src/control-plane/data-folder.js';
import type { ControlPlaneError } from '../../src/control-plane/index.js';
import { freeLoopbackPort } from '../../src/control-plane/loopback-port.js';
import { isPortClash, ServerProcess, startWithFreePorts } from '../../src/control-plane/server-process.js';
import { Deadline } from '../../src/control-plane/wait.js';

interface Started {
  server: ServerProcess;
  unexpected: ControlPlaneError[];
}

async function start(script: string, timeout = 10_000): Promise<Started> {
  const data = await DataFolder.create();
  const unexpected: ControlPlaneError[] = [];
  const server = new ServerProcess('/bin/sh', ['-c', script], {
    folder: data.path,
    deadline: new Deadline(timeout),
    choosePort: freeLoopbackPort,
    onUnexpectedEnd: (error) => unexpected.push(error),
  });
  onTestFinished(async () => {
    await server.kill();
    await data.remove();
  });
  return { server, unexpected };
}

const ready = (): Promise<undefined> => Promise.resolve(undefined);

describe('a server', () => {
  it('that ends before it is ready is an error with its last lines', async () => {
    const { server, unexpected } = await start('echo one; echo two >&2; exit 9');
    await expect(server.untilReady(() => Promise.resolve('nothing'))).rejects.toMatchObject({
      code: 'CONTROL_PLANE_PROCESS_ENDED',
      found: 'sh ended with exit code 9',
      output: expect.arrayContaining(['one', 'two']) as string[],
    });
    expect(unexpected).toEqual([]);
  });

  it('that is not ready in time is an error that says what was missing', async () => {
    const { server } = await start('exec sleep 600', 200);
    const refuse = (): Promise<never> => Promise.reject(new Error('connection refused'));
    await expect(server.untilReady(refuse)).rejects.toMatchObject({
      code: 'CONTROL_PLANE_NOT_READY',
      found: 'sh was not ready within 0 s (connection refused)',
    });
  });

  it('that ends later tells it once; one that is killed does not', async () => {
    const [ended, killed] = [await start('exec sleep 0.3'), await start('exec sleep 600')];
    await Promise.all([ended.server.untilReady(ready), killed.server.untilReady(ready)]);
    await killed.server.kill();
    await expect.poll(() => ended.unexpected.length).toBe(1);
    expect(ended.unexpected[0]?.found).toBe('sh ended with exit code 0');
    await ended.server.kill();
    expect(ended.unexpected).toHaveLength(1);
    expect(killed.unexpected).toEqual([]);
  });

  it('does not get the environment of this process', async () => {
    process.env['ETCD_NAME'] = 'from outside';
    onTestFinished(() => void delete process.env['ETCD_NAME']);
    const { server } = await start('echo "name=$ETCD_NAME"; exec sleep 600');
    await expect.poll(() => server.process.tail.lines).toEqual(['name=']);
  });
});

describe('a start on free ports', () => {
  const clash = 'echo "listen tcp 127.0.0.1:1: bind: address already in use" >&2; exit 1';

  async function startUntilReady(script: string): Promise<void> {
    await (await start(script)).server.untilReady(() => Promise.resolve('nothing'));
  }

  it('is tried again when a port was taken, five times at most', async () => {
    let tries = 0;
    const attempt = async (): Promise<string> => {
      tries += 1;
      if (tries < 3) await startUntilReady(clash);
      return 'started';
    };
    expect(await startWithFreePorts(attempt, isPortClash)).toBe('started');
    expect(tries).toBe(3);

    tries = 0;
    const hopeless = (): Promise<void> => {
      tries += 1;
      return startUntilReady(clash);
    };
    await expect(startWithFreePorts(hopeless, isPortClash)).rejects.toMatchObject({
      code: 'CONTROL_PLANE_PROCESS_ENDED',
    });
    expect(tries).toBe(5);
  });

  it('is not tried again for another reason', async () => {
    let tries = 0;
    const broken = (): Promise<void> => {
      tries += 1;
      return startUntilReady('echo "unknown flag" >&2; exit 1');
    };
    await expect(startWithFreePorts(broken, isPortClash)).rejects.toThrow('unknown flag');
    expect(tries).toBe(1);
  });
});
