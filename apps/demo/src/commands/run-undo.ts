import { createWorkspace, silentLogger } from '@haft/core';
import { keepJournal } from '../assembly/keep-journal.ts';
import { runConversationCommand } from '../chat/conversation-commands.ts';
import { keepConversations } from '../chat/kept-conversations.ts';
import type { Invocation } from '../program/command.ts';

/** Undoes the newest turn, or its last call, or shows it, or redoes the newest undo. Returns the exit code. */
export async function runUndo(invocation: Invocation, reach: 'call' | undefined): Promise<number> {
  const { cwd, terminal, signal } = invocation;
  const journal = await keepJournal({
    workspace: createWorkspace({ cwd, logger: silentLogger }),
    note: (line) => terminal.note(line),
    signal,
    onlyKept: true,
  });
  if (!journal) return 1;
  try {
    const shows = invocation.flag('changes');
    const undoes = reach === 'call' ? '/undo call' : '/undo';
    const line = shows ? '/changes' : invocation.flag('redo') ? '/redo' : undoes;
    const done = await runConversationCommand(line, {
      invocation,
      journal,
      isAgreed: invocation.flag('yes'),
      async taskOf({ sessionId, callId }) {
        await using kept = await keepConversations({ cwd, note: () => {} });
        // The conversations close when this function returns.
        return await kept.findTask(sessionId, callId);
      },
    });
    return shows || done?.remark !== undefined ? 0 : 1;
  } finally {
    await journal.close();
  }
}
