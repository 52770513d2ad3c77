import { defineConfig } from 'vitest/config';

const conditions = ['@haft/source', 'module', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'tooling/*/src/**/*.test.ts'],
    setupFiles: ['./tooling/vitest/fixed-seed.mjs'],
    reporters: ['default', './tooling/vitest/plain-count-reporter.mjs'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    maxConcurrency: 2,
  },
});
