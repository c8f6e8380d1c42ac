import { describe, expect, it } from 'vitest';
import { ControlPlaneError } from '../../src/control-plane/index.js';

describe('an error of the launcher', () => {
  it('says its code, what was found, where, what to do, and the last lines', () => {
    const cause = new Error('inner');
    const error = new ControlPlaneError('CONTROL_PLANE_PROCESS_ENDED', {
      found: 'etcd ended with exit code 1',
      where: '/bin/etcd',
      todo: 'read the output',
      output: ['first', 'second'],
      cause,
    });
    expect(error.message).toBe(
      [
        '[CONTROL_PLANE_PROCESS_ENDED] etcd ended with exit code 1',
        '  where: /bin/etcd',
        '  what to do: read the output',
        '  last lines of output:',
        '    first',
        '    second',
      ].join('\n'),
    );
    expect(error).toMatchObject({ name: 'ControlPlaneError', code: 'CONTROL_PLANE_PROCESS_ENDED', cause });
  });

  it('has no empty section', () => {
    const error = new ControlPlaneError('CONTROL_PLANE_STOPPED', { found: 'a', where: 'b', todo: 'c' });
    expect(error.message).toBe('[CONTROL_PLANE_STOPPED] a\n  where: b\n  what to do: c');
    expect('cause' in error).toBe(false);
  });
});
