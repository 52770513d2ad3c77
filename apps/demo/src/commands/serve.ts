import type { AnyTool } from '@haft/core';
import type { ServableSource, ServeOptions } from '@haft/mcp';
import { sourceOptions } from '../assembly/source-options.ts';
import type { Command, Invocation } from '../program/command.ts';
import { permissionMode } from '../permission/permission-mode.ts';
import { packageVersion } from '../program/package-version.ts';

/** Tools that only read, but need a process that another tool started. */
const companions: ReadonlySet<string> = new Set(['bash_output']);

/** Returns whether a tool is served without `--yes`. */
function isHarmless({ name, traits }: AnyTool): boolean {
  return traits.readOnly && traits.openWorld !== true && !companions.has(name);
}

/** Serves the tools to any MCP client. */
export const serve: Command = {
  name: 'serve',
  summary: 'serve the tools over MCP on standard input and output',
  maximumOperands: 0,
  options: {
    yes: {
      type: 'boolean',
      short: 'y',
      description:
        'also serve the tools that write and run commands; the client must ask its user, because this program cannot',
    },
    'read-only': {
      type: 'boolean',
      description: 'serve only the tools that change nothing and reach no network (the default)',
    },
    docs: {
      type: 'boolean',
      description:
        'serve the documentation of Haft (search_docs, read_doc); alone it serves nothing else: add --read-only, --yes, --plugins or --mcp for the other tools',
    },
    ...sourceOptions,
  },
  notes: [
    'An MCP client starts this program itself: node apps/demo/dist/main.js serve --cwd FOLDER (never npm run).',
    'Without --yes, only tools that change nothing and reach no network are served: this program cannot ask the user, and not every client does.',
    'File tools are limited to the folder, and commands run in a jail with it. With --no-jail, or if no jail is available, commands run with your rights.',
    'With --yes, a journal records what calls change: haft undo restores it after the client has left.',
    'With --docs alone, it reads no file of the folder: a coding agent can search the documentation of Haft.',
    'Clients are notified when plugins change. The program ends when the client leaves.',
  ],
  async run(invocation) {
    const docs = invocation.flag('docs');
    if (docs && !namesOtherTools(invocation)) return await serveDocs(invocation);
    const { assembleTools } = await import('../assembly/assemble-tools.ts');
    const readOnly = permissionMode(invocation) !== 'yes';
    await using tools = await assembleTools({
      invocation,
      mode: readOnly ? 'read-only' : 'yes',
      asks: false,
      announcesServers: true,
      // A client must not wait for a download. It is notified when the tools of a slow server are ready.
      waitsForSlowServers: false,
      journals: !readOnly,
      docs,
    });
    return await serveUntilLeft(invocation, tools.dispatcher, readOnly ? { expose: isHarmless } : {});
  },
};

/** Whether the command line or the configuration requests tools besides the documentation. */
function namesOtherTools(invocation: Invocation): boolean {
  const flags = ['yes', 'read-only'].some((name) => invocation.flag(name));
  return flags || ['plugins', 'mcp'].some((name) => invocation.value(name) !== undefined);
}

async function serveDocs(invocation: Invocation): Promise<number> {
  const { allowReadOnly, createDispatcher } = await import('@haft/core');
  const { createDocsTools } = await import('../documentation/docs-tools.ts');
  const source = createDispatcher({ registry: createDocsTools(), permission: allowReadOnly });
  return await serveUntilLeft(invocation, source, { name: 'haft-docs' });
}

/** Serves until the client leaves, or until the program is asked to end. */
async function serveUntilLeft(invocation: Invocation, source: ServableSource, options: ServeOptions): Promise<number> {
  const mcp = await import('@haft/mcp');
  const server = mcp.serve(source, {
    version: packageVersion(),
    onWarning: (error) => invocation.terminal.note(`haft: ${error.message}`),
    ...options,
  });
  if (process.stdin.isTTY) {
    invocation.terminal.note(
      'haft: waiting for an MCP client on standard input; clients start this program themselves (Ctrl-C ends it)',
    );
  }
  const leave = (): void => void server.close();
  invocation.signal.addEventListener('abort', leave, { once: true });
  if (invocation.signal.aborted) leave();
  await server.closed;
  return 0;
}
