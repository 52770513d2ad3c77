import { allowAll, createDispatcher, ToolRegistry } from '@haft/core';
import { serve, type RunningServer } from '@haft/mcp';
import { createServedLibrary, createServedTools } from './served-fixtures.ts';

/** Serves what the suite asks a server for, over HTTP on a free port, in both generations. */
export function serveFixtures(): RunningServer {
  const registry = new ToolRegistry();
  const library = createServedLibrary();
  registry.batch((draft) => {
    for (const tool of createServedTools(registry, library)) draft.registerWithProvider(tool, 'builtin');
  });
  return serve(createDispatcher({ registry, permission: allowAll }), {
    name: 'haft-conformance',
    version: '1.0.0',
    library,
    http: { sessions: true, requestsPerMinute: 1_000_000 },
  });
}
