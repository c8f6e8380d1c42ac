import { defineConfig } from 'vitest/config';

/**
 * Across workspaces, imports lead to sources: tests need no build. Vitest hands them on to Node, so `module`, which is for
 * bundlers, is not among them.
 */
const conditions = ['nestjs-operator-source', 'node', 'development|production'];

const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['nestjs-operator-source', 'node'] } },
  // Given here as well as in tsconfig.json: the transform falls back to plain syntax for a file outside its "include".
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
};

export default defineConfig({
  ...shared,
  test: {
    maxWorkers: 2,
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: ['libs/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts', 'test/repo/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**', '**/*.cluster.test.ts'],
          expect: { requireAssertions: true },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        ...shared,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts', 'test/features/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.cluster.test.ts'],
          expect: { requireAssertions: true },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...shared,
        test: {
          name: 'process',
          include: ['test/process/**/*.test.ts'],
          expect: { requireAssertions: true },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        ...shared,
        test: {
          name: 'cluster',
          include: [
            'test/cluster/**/*.test.ts',
            'test/features/**/*.cluster.test.ts',
            'test/side-by-side/**/*.cluster.test.ts',
            'libs/apiserver/test/**/*.cluster.test.ts',
          ],
          globalSetup: ['test/cluster/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
