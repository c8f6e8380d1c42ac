#!/usr/bin/env node
import { constants } from 'node:os';
import { runCommand } from './command/run-command.js';

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (ending.signal.aborted) process.exit(128 + constants.signals[signal]);
    ending.abort();
  });
}

runCommand(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  ending: ending.signal,
}).then(
  (code) => {
    process.exitCode = code;
    // Nothing is left to wait for a signal.
    process.removeAllListeners('SIGINT');
    process.removeAllListeners('SIGTERM');
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
