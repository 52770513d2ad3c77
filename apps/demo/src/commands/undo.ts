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
    'Undoes the last turn of chat, or the last call that serve --yes ran for a client, whichever is newer. Run it again to undo the turn or call before. With "call", undoes one call of a turn. Files that were changed since are skipped. A turn with nothing but such files is passed over: it is named, with what you can do, and the turn before is undone instead, also with --yes.',
    'Names the turn or call and its files, and asks. Files that you or another program may have changed, for example while a command ran, are marked with *. Without a terminal, it undoes nothing unless --yes is given.',
    'Each --redo brings back one undo, the newest one.',
    'Exit code 0 if something was undone or brought back, and with --changes; 1 otherwise.',
  ],
  async run(invocation) {
    const [reach] = invocation.positionals;
    if (reach !== undefined && reach !== 'call')
      throw new UsageError(`undo ${reach}: unknown operand (expected call, or nothing)`);
    const shown = ['redo', 'changes'].filter((name) => invocation.flag(name));
    if (shown.length === 2) throw new UsageError('--redo and --changes exclude each other');
    if (reach === 'call' && shown.length > 0)
      throw new UsageError(`undo call: --${shown[0]} does not apply to one call`);
    const { runUndo } = await import('./run-undo.ts');
    return runUndo(invocation, reach);
  },
};
