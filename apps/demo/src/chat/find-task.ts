import type { Message } from '@haft/core';

/** Remark for the model that the user has undone its changes, or has brought them back. */
export function remarkOn(done: 'undone' | 'brought back', changes: readonly string[]): string {
  const shown = changes.length > 20 ? [...changes.slice(0, 20), `and ${changes.length - 20} more`] : changes;
  return `The user has ${done} changes of yours: ${shown.join('; ')}. Read a file again before you edit it.`;
}

const remarks = /^(?:The user has (?:undone|brought back) changes of yours: .*\n\n)*/;

/** Finds the user's message that led to a call. Returns undefined if several did, because models may repeat ids. */
export function findTask(messages: readonly Message[], callId: string): string | undefined {
  let task: string | undefined;
  const found = new Set<string | undefined>();
  for (const message of messages) {
    if (message.role === 'user') task = typeof message.content === 'string' ? message.content : undefined;
    else if (message.role === 'assistant' && message.toolCalls?.some(({ id }) => id === callId) === true)
      found.add(task);
  }
  return found.size === 1 ? [...found][0]?.replace(remarks, '') : undefined;
}
