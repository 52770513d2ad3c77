import type { AnyTool } from '@haft/core';
import { sourceOptions } from '../assembly/source-options.ts';
import type { Command } from '../program/command.ts';
import { permissionMode } from '../permission/permission-mode.ts';
import { packageVersion } from '../program/package-version.ts';

/** Tools that only read, but what another tool has started. */
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
      description: 'also serve the tools that write and run commands; only the client asks before its model uses them',
    },
    'read-only': {
      type: 'boolean',
      description: 'serve only the tools that change nothing and reach no network (the default)',
    },
    ...sourceOptions,
  },
  notes: [
    'An MCP client starts this program itself: node apps/demo/dist/main.js serve --cwd FOLDER (never npm run).',
    'Without --yes, only tools that change nothing and reach no network are served: this program cannot ask here, and not every client asks its user.',
    'File tools are limited to the folder, and commands run in a jail with it. With --no-jail, or if no jail is available, commands run with your rights.',
    'With --yes, a journal records what calls change: haft undo restores it after the client has left.',
    'Clients are notified when plugins change. The program ends when the client leaves.',
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
      ...(readOnly ? { expose: isHarmless } : {}),
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
  },
};
