import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

const conditions = ['@haft/source', 'module', 'node', 'development|production'];

const everything = [
  'packages/*/src/**/*.test.ts',
  'packages/*/page/src/**/*.test.ts',
  'apps/*/src/**/*.test.ts',
  'tooling/*/src/**/*.test.ts',
];
const shared = [
  'packages/{repair,schema,core,store,runner,ai-sdk,sandbox,builtins}/src/**/*.test.ts',
  'packages/{permission,journal,otel,mcp,toolkit}/src/**/*.test.ts',
  'packages/workbench/page/src/**/*.test.ts',
  'tooling/{corpora,fuzz,peers}/src/**/*.test.ts',
  'tooling/checks/src/reference/*.test.ts',
];
// Under the condition `module` its files name one another without extensions, which Node can't follow.
const telemetry = createRequire(new URL('packages/otel/package.json', import.meta.url)).resolve('@opentelemetry/api');
const alias = [{ find: /^@opentelemetry\/api$/, replacement: telemetry }];

export default defineConfig({
  resolve: { conditions, alias },
  ssr: { resolve: { conditions } },
  test: {
    // It imports the package above, so that the alias must apply to it, too.
    server: { deps: { inline: ['pg-boss'] } },
    projects: [
      // Nothing that these tests leave behind meets another, so that a worker reads the sources once for all files.
      { extends: true, test: { name: 'shared', include: shared, isolate: false } },
      { extends: true, test: { name: 'apart', include: everything, exclude: [...shared, '**/node_modules/**'] } },
    ],
    setupFiles: ['./tooling/vitest/fixed-seed.mjs'],
    reporters: ['default', './tooling/vitest/plain-count-reporter.mjs'],
    // The embedded database is ten megabytes of WebAssembly. Optimizing it takes longer than any test uses it.
    execArgv: ['--liftoff-only'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    maxConcurrency: 2,
  },
});
