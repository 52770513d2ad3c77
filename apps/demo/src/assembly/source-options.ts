import type { OptionTable } from '../program/command.ts';

/** Options that say where tools come from besides the built-in ones, and what commands may reach. */
export const sourceOptions: OptionTable = {
  plugins: {
    type: 'string',
    value: 'DIR',
    description: 'serve the plugins of this folder too, as they come, change and go',
  },
  'trust-plugins': {
    type: 'boolean',
    description: 'run plugins inside this program, with all its rights, instead of in jailed processes of their own',
  },
  'no-jail': {
    type: 'boolean',
    description: 'run commands with all your rights, instead of in a jail with the folder and without network',
  },
  mcp: {
    type: 'string',
    value: 'FILE|COMMAND',
    description: 'connect MCP servers: a JSON file with "mcpServers", or the command that starts one',
  },
};
