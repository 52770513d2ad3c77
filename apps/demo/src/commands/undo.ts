import type { Command } from '../program/command.ts';
import { UsageError } from '../program/usage-error.ts';

/** The way back, when no conversation is open any more. */
export const undo: Command = {
  name: 'undo',
  summary: 'put back what chat, or serve --yes, changed in this folder; for when they have ended',
  operands: '[call]',
  maximumOperands: 1,
  options: {
    changes: { type: 'boolean', description: 'show as diffs what would be put back, and change nothing' },
  },
  notes: [
    'Puts back the last turn of chat, or the last call that serve --yes carried out for a client, whichever is newer; once more, what came before it. With "call" a single call of a turn. What somebody else has changed since is left as it is.',
    'Exit code 0 when something was put back, 1 when there was nothing.',
  ],
  async run(invocation) {
    const [reach] = invocation.positionals;
    if (reach !== undefined && reach !== 'call') throw new UsageError(`undo ${reach}: expected nothing, or call`);
    const { runUndo } = await import('./run-undo.ts');
    return runUndo(invocation, reach);
  },
};
