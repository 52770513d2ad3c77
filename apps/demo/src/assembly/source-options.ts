import type { OptionTable } from '../program/command.ts';

/** Options for further sources of tools, and for the access of commands. */
export const sourceOptions: OptionTable = {
  plugins: {
    type: 'string',
    value: 'DIR',
    description: 'also serve the plugins of this folder, and follow its changes',
  },
  'trust-plugins': {
    type: 'boolean',
    description: 'run plugins inside this program, with all its rights, instead of in jailed processes',
  },
  'no-jail': {
    type: 'boolean',
    description: 'run commands with all your rights, instead of in a jail with the folder and without network',
  },
  mcp: {
    type: 'string',
    value: 'FILE|COMMAND',
    description: 'connect MCP servers: the JSON or TOML file of another client, or the command that starts a server',
  },
};
