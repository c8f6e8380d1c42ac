import { defineConfig } from 'vitest/config';

const conditions = ['nestjs-operator-source', 'module', 'node', 'development|production'];

const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['nestjs-operator-source', 'node'] } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
};

export default defineConfig({
  ...shared,
  test: {
    testTimeout: 20_000,
    hookTimeout: 20_000,
    maxWorkers: 2,
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: ['libs/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts', 'test/repo/**/*.test.ts'],
        },
      },
      { ...shared, test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'] } },
      {
        ...shared,
        test: { name: 'process', include: ['test/process/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      {
        ...shared,
        test: { name: 'cluster', include: ['test/cluster/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
      },
    ],
  },
});
