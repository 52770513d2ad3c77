import type { Command } from '../program/command.ts';

/** Shows the whole pipeline of a call on real input, without a key and without a network. */
export const tour: Command = {
  name: 'tour',
  summary: 'watch a scripted model fix a real project (the default command)',
  maximumOperands: 0,
  options: {
    fast: { type: 'boolean', description: 'do not pause between turns' },
    keep: { type: 'boolean', description: 'keep the temporary workspace, and print its path' },
  },
  notes: [
    'The model is a script and needs no key; the loop, the tools, the files, the processes, the plugin folder and the MCP server are real. Exit code 0 if the tests of the project pass at the end.',
  ],
  async run(invocation) {
    const { runTour } = await import('../tour/run-tour.ts');
    return runTour(invocation);
  },
};
