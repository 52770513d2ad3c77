import type { Command } from '../program/command.ts';
import { UsageError } from '../program/usage-error.ts';

/** Undoes changes after a conversation has ended. */
export const undo: Command = {
  name: 'undo',
  summary: 'undo the changes that chat or serve --yes made in this folder',
  operands: '[call]',
  maximumOperands: 1,
  options: {
    redo: { type: 'boolean', description: 'bring back the changes that the last undo in this folder undid' },
    yes: { type: 'boolean', description: 'undo without a question' },
    changes: { type: 'boolean', description: 'show the changes as diffs, and undo nothing' },
  },
  notes: [
    'Undoes the last turn of chat, or the last call that serve --yes ran for a client, whichever is newer. Run it again to undo the turn or call before. With "call", undoes one call of a turn. Files that were changed since are skipped.',
    'Asks first if files changed while a command ran, because you or another program may have changed them. Without a terminal, it then undoes nothing unless --yes is given.',
    'Exit code 0 if something was undone, 1 otherwise.',
  ],
  async run(invocation) {
    const [reach] = invocation.positionals;
    if (reach !== undefined && reach !== 'call')
      throw new UsageError(`undo ${reach}: unknown operand (expected call, or nothing)`);
    const { runUndo } = await import('./run-undo.ts');
    return runUndo(invocation, reach);
  },
};
