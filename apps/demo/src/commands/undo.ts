import type { Command } from '../program/command.ts';
import { UsageError } from '../program/usage-error.ts';

/** Undoes changes after a conversation has ended. */
export const undo: Command = {
  name: 'undo',
  summary: 'undo what chat, or serve --yes, changed in this folder, after they have ended',
  operands: '[call]',
  maximumOperands: 1,
  options: {
    changes: { type: 'boolean', description: 'show the changes as diffs, and undo nothing' },
  },
  notes: [
    'Undoes the last turn of chat, or the last call that serve --yes ran for a client, whichever is newer; run again, the one before. With "call", a single call of a turn. Files that were changed since are skipped.',
    'Exit code 0 if something was undone, 1 if there was nothing to undo.',
  ],
  async run(invocation) {
    const [reach] = invocation.positionals;
    if (reach !== undefined && reach !== 'call') throw new UsageError(`undo ${reach}: expected no operand, or call`);
    const { runUndo } = await import('./run-undo.ts');
    return runUndo(invocation, reach);
  },
};
