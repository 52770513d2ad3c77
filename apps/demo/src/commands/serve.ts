import { sourceOptions } from '../assembly/source-options.ts';
import type { Command } from '../program/command.ts';
import { permissionMode } from '../permission/permission-mode.ts';
import { packageVersion } from '../program/package-version.ts';

/** The tools, for any MCP client. */
export const serve: Command = {
  name: 'serve',
  summary: 'serve the tools over MCP on standard input and output',
  maximumOperands: 0,
  options: {
    yes: {
      type: 'boolean',
      short: 'y',
      description: 'serve the tools that write and run commands too; only the client stands between them and its model',
    },
    'read-only': {
      type: 'boolean',
      description: 'serve only the tools that change nothing and ask nobody outside (the default)',
    },
    ...sourceOptions,
  },
  notes: [
    'For an MCP client, which starts this program itself: node apps/demo/dist/main.js serve --cwd FOLDER (never npm run).',
    'Without --yes only tools that change nothing, and reach no network, are served: nobody can be asked here, and not every client asks its person.',
    'Files are limited to the folder, and commands run in a jail with it; with --no-jail, or where no jail can be had, commands run with your rights.',
    'With --yes a journal is kept of what calls change: haft undo puts it back when the client has left.',
    'Plugins come and go while clients are connected; they are told. Ends when the client leaves.',
  ],
  async run(invocation) {
    const { assembleTools } = await import('../assembly/assemble-tools.ts');
    const mcp = await import('@haft/mcp');
    const readOnly = permissionMode(invocation) !== 'yes';
    await using tools = await assembleTools({
      invocation,
      mode: readOnly ? 'read-only' : 'yes',
      asks: false,
      journals: !readOnly,
    });
    const server = mcp.serve(tools.dispatcher, {
      version: packageVersion(),
      onError: (error) => invocation.terminal.note(`haft: ${error.message}`),
      ...(readOnly ? { expose: ({ traits }) => traits.readOnly && traits.openWorld !== true } : {}),
    });
    if (process.stdin.isTTY) {
      invocation.terminal.note(
        'haft: waiting for an MCP client on standard input; clients start this themselves (Ctrl-C ends it)',
      );
    }
    const leave = (): void => void server.close();
    invocation.signal.addEventListener('abort', leave, { once: true });
    if (invocation.signal.aborted) leave();
    await server.closed;
    return 0;
  },
};
