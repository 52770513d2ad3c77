import { defineConfig } from 'vitest/config';

const conditions = ['@haft/source', 'module', 'node', 'development|production'];

const everything = ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'tooling/*/src/**/*.test.ts'];
const ground = ['packages/{repair,schema,core}/src/**/*.test.ts'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [
      // Nothing in these packages is kept from one test to the next, so that a worker reads their sources once for all files.
      { extends: true, test: { name: 'ground', include: ground, isolate: false } },
      { extends: true, test: { name: 'house', include: everything, exclude: [...ground, '**/node_modules/**'] } },
    ],
    setupFiles: ['./tooling/vitest/fixed-seed.mjs'],
    reporters: ['default', './tooling/vitest/plain-count-reporter.mjs'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    maxConcurrency: 2,
  },
});
