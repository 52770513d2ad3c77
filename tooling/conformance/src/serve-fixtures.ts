import { allowAll, createDispatcher, ToolRegistry } from '@haft/core';
import { openSkillDirectory, serve, type RunningServer } from '@haft/mcp';
import { fileURLToPath } from 'node:url';
import { taskModes } from './task-fixtures.ts';
import { createServedLibrary, createServedTools } from './served-fixtures.ts';

/** Serves the fixtures of the suite over HTTP on a free port, in both eras. */
export async function serveFixtures(): Promise<RunningServer> {
  const registry = new ToolRegistry();
  const library = createServedLibrary();
  registry.batch((draft) => {
    for (const tool of createServedTools(registry, library)) draft.registerWithProvider(tool, 'builtin');
  });
  return serve(createDispatcher({ registry, permission: allowAll }), {
    name: 'haft-conformance',
    version: '1.0.0',
    library,
    skills: await openSkillDirectory(fileURLToPath(new URL('fixtures/skills', import.meta.url))),
    tasks: { mode: ({ name }) => taskModes[name] ?? 'never', afterMs: 200, pollIntervalMs: 100 },
    http: { sessions: true, requestsPerMinute: 1_000_000 },
  });
}
