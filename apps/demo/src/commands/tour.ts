import type { Command } from '../program/command.ts';

/** The whole road of a call on real input, without a key and without a network. */
export const tour: Command = {
  name: 'tour',
  summary: 'watch a scripted model mend a real project (what haft does without a command)',
  maximumOperands: 0,
  options: {
    fast: { type: 'boolean', description: 'no pauses for reading along' },
    keep: { type: 'boolean', description: 'leave the temporary workspace where it is, and say where' },
  },
  notes: [
    'The model is a script and needs no key; the loop, the tools, the files, the processes, the plugin folder and the MCP server are real. Exit code 0 when the tests of the project pass in the end.',
  ],
  async run(invocation) {
    const { runTour } = await import('../tour/run-tour.ts');
    return runTour(invocation);
  },
};
