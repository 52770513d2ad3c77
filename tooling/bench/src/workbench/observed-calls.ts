import { allowAll, createDispatcher, defineTool } from '@haft/core';
import { createCallLog, createWorkbench, type Workbench } from '@haft/workbench';
import type { MakeWork } from '@haft-tooling/measure';

const calls = 200;

/**
 * Makes calls one after the other. With `workbench`, there is a workbench for the tools. With `log`, its call log observes
 * the calls. With `page`, the page Calls is open: it follows the changes, and reads the list of calls again after each.
 */
const makeWork: MakeWork = async (options) => {
  const log = createCallLog();
  const echo = defineTool({
    name: 'echo',
    description: 'Repeats a text.',
    kind: 'read',
    input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    execute: (args) => (args as { readonly text: string }).text,
  });
  const tools = createDispatcher({
    registry: [echo],
    permission: allowAll,
    ...(options['log'] === true ? { observer: log.observer } : {}),
  });
  const workbench = options['workbench'] === true ? createWorkbench({ tools, calls: log }) : undefined;
  const page = workbench && options['page'] === true ? await openPage(workbench) : undefined;
  return {
    operations: calls,
    async run() {
      for (let index = 0; index < calls; index += 1) {
        const result = await tools.dispatch({ id: `call_${index}`, name: 'echo', arguments: { text: 'hello' } });
        if (!result.ok) throw new Error(JSON.stringify(result));
      }
      // A page gets its turn between the calls of a program.
      await new Promise((resolve) => setImmediate(resolve));
      if (page?.problem !== undefined) throw page.problem;
    },
  };
};

/** Follows the changes like a page in a browser. A failure is kept, because the calls don't wait for the page. */
async function openPage({ fetch, token }: Workbench): Promise<{ readonly problem: unknown }> {
  const ask = async (path: string): Promise<Response> => {
    const headers = { host: 'localhost', authorization: `Bearer ${token}` };
    const response = await fetch(new Request(`http://localhost/api/${path}`, { headers }));
    if (response.status !== 200) throw new Error(`${path}: status ${response.status}`);
    return response;
  };
  const { body } = await ask('changes');
  if (body === null) throw new Error('changes: no body');
  const state: { problem: unknown } = { problem: undefined };
  const follow = async (): Promise<void> => {
    for await (const _event of body) await (await ask('calls')).arrayBuffer();
  };
  follow().catch((error: unknown) => (state.problem = error));
  return state;
}

export default makeWork;
