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
  'tooling/{corpora,fuzz,peers,growth,measure}/src/**/*.test.ts',
  'tooling/{attack,benchmark-page,release}/src/**/*.test.ts',
  'tooling/checks/src/{reference,sample}/*.test.ts',
  'tooling/checks/src/*.test.ts',
  'tooling/bundle/src/{bundle-package,find-unbuilt,package-docs}.test.ts',
  'apps/{create-haft,docs}/src/**/*.test.ts',
];
// These tests replace the program of plugin processes, so they run in separate workers.
const plugins = ['packages/dynamic-tools/src/**/*.test.ts'];
// Tests that use several packages and the embedded database. `page-burst` is left out because it measures the memory of its process.
const programs = [
  'packages/jobs/src/**/*.test.ts',
  'packages/workbench/src/**/!(page-burst).test.ts',
  'apps/demo/src/**/*.test.ts',
  'tooling/bench/src/**/*.test.ts',
];
const together = { shared, plugins, programs };
// Under the condition `module` its files name one another without extensions, which Node can't follow.
const telemetry = createRequire(new URL('packages/otel/package.json', import.meta.url)).resolve('@opentelemetry/api');
const alias = [{ find: /^@opentelemetry\/api$/, replacement: telemetry }];

export default defineConfig({
  resolve: { conditions, alias },
  ssr: { resolve: { conditions } },
  test: {
    globalSetup: ['./tooling/vitest/temporary-folder.mjs'],
    // It imports the package above, so that the alias must apply to it, too.
    server: { deps: { inline: ['pg-boss'] } },
    projects: [
      // Nothing that these tests leave behind meets another, so that a worker reads the sources once for all files.
      ...Object.entries(together).map(([name, include]) => ({
        extends: true as const,
        test: { name, include, isolate: false },
      })),
      {
        extends: true,
        test: {
          name: 'apart',
          include: everything,
          exclude: [...Object.values(together).flat(), '**/node_modules/**'],
        },
      },
    ],
    setupFiles: ['./tooling/vitest/fixed-seed.mjs'],
    reporters: ['default', './tooling/vitest/plain-count-reporter.mjs'],
    // The embedded database is ten megabytes of WebAssembly. Optimizing it takes longer than any test uses it.
    execArgv: ['--liftoff-only'],
    testTimeout: 60_000,
    // A busy machine may take longer than the second that is usual.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
    maxWorkers: 3,
    maxConcurrency: 2,
  },
});
