import type { Benchmark } from '@haft-tooling/measure';

/** Every benchmark by name, loaded on demand. To add one, add a file and a line here. */
export const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  behaviours: async () => (await import('./behaviours/behaviours.ts')).behavioursBenchmark,
  dispatch: async () => (await import('./dispatch/dispatch.ts')).dispatchBenchmark,
  edit: async () => (await import('./edit/edit.ts')).editBenchmark,
  extract: async () => (await import('./extract/extract.ts')).extractBenchmark,
  files: async () => (await import('./files/files.ts')).filesBenchmark,
  import: async () => (await import('./import/import.ts')).importBenchmark,
  jail: async () => (await import('./jail/jail.ts')).jailBenchmark,
  jobs: async () => (await import('./jobs/jobs.ts')).jobsBenchmark,
  journal: async () => (await import('./journal/journal.ts')).journalBenchmark,
  loop: async () => (await import('./loop/loop.ts')).loopBenchmark,
  process: async () => (await import('./process/process.ts')).processBenchmark,
  mcp: async () => (await import('./mcp/mcp.ts')).mcpBenchmark,
  plugins: async () => (await import('./plugins/plugins.ts')).pluginsBenchmark,
  registry: async () => (await import('./registry/registry.ts')).registryBenchmark,
  repair: async () => (await import('./repair/repair.ts')).repairBenchmark,
  schema: async () => (await import('./schema/schema.ts')).schemaBenchmark,
  search: async () => (await import('./search/search.ts')).searchBenchmark,
  store: async () => (await import('./store/store.ts')).storeBenchmark,
  stream: async () => (await import('./stream/stream.ts')).streamBenchmark,
  workbench: async () => (await import('./workbench/workbench.ts')).workbenchBenchmark,
};
