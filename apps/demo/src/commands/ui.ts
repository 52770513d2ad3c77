import { sourceOptions } from '../assembly/source-options.ts';
import type { Command } from '../program/command.ts';

/** Opens the workbench on a folder. */
export const ui: Command = {
  name: 'ui',
  summary: 'open the workbench: tools, calls, changes, runs and waiting questions in your browser',
  maximumOperands: 0,
  options: {
    port: { type: 'string', value: 'N', description: 'serve on this port (default: any free port)' },
    jobs: {
      type: 'string',
      value: 'URL',
      description: 'show durable jobs, such as those of file:.haft/jobs or postgres://host/database',
    },
    editor: {
      type: 'string',
      value: 'URL',
      description: 'open sources with this URL (default: vscode://file/{path}:{line})',
    },
    open: { type: 'boolean', description: 'open the page in your browser' },
    ...sourceOptions,
  },
  notes: [
    'The page is served to this machine only. Its URL contains a token. Anyone with the token can call tools and answer questions.',
    'Calls that change something wait on the page Approvals until you answer. You can answer calls of the chat on the page Chat, too.',
    'Changes of files are recorded while the page is open, and can be undone there.',
    'File tools are limited to the folder, and commands run in a jail with it. Ctrl-C ends the program.',
  ],
  async run(invocation) {
    const { runUi } = await import('./run-ui.ts');
    return runUi(invocation);
  },
};
