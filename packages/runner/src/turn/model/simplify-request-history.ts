import type { ContentPart, Message, ToolError } from '@haft/core';
import { createCallIds } from '../../history/call-ids.ts';
import { pairHistory } from '../../history/pair-history.ts';
import { report, type RunState } from '../../run/run-state.ts';

/** HTTP statuses with which servers reject an invalid conversation. */
const refusals: ReadonlySet<unknown> = new Set([400, 413, 422]);

/**
 * After the model rejected a request as invalid, removes parts of the conversation that some servers do not support:
 * reasoning, images, audio and empty messages. Returns whether anything changed, so that a retry may succeed.
 */
export function simplifyHistory(run: RunState, turn: number, error: ToolError): boolean {
  if (run.isSimplified || error.retryable || !refusals.has(error.details?.['status'])) return false;
  run.isSimplified = true;
  const { messages } = pairHistory(simplify(run.messages), createCallIds());
  if (messages.length === run.messages.length && messages.every((message, at) => message === run.messages[at]))
    return false;
  run.messages = [...messages];
  run.pairedUpTo = messages.length;
  report(run, {
    kind: 'history-refused',
    turn,
    message: `the model rejected the conversation (${error.message.slice(0, 300)}); reasoning, media and empty messages were removed`,
  });
  return true;
}

function simplify(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message): readonly Message[] => {
    switch (message.role) {
      case 'system':
        return message.content.trim() === '' ? [] : [message];
      case 'assistant': {
        const { reasoning, ...rest } = message;
        if (message.content.trim() === '' && (message.toolCalls ?? []).length === 0) return [];
        return [reasoning === undefined ? message : rest];
      }
      default:
        return [withoutMedia(message)];
    }
  });
}

function withoutMedia(message: Extract<Message, { readonly role: 'user' | 'tool' }>): Message {
  const { content } = message;
  if (typeof content === 'string' || content.every((part) => part.type === 'text')) return message;
  return { ...message, content: content.map(asText) };
}

function asText(part: ContentPart): ContentPart {
  switch (part.type) {
    case 'text':
      return part;
    case 'json':
      return { type: 'text', text: JSON.stringify(part.value) ?? 'null' };
    case 'resource':
      return { type: 'text', text: `[${part.resource.uri}]` };
    default:
      return { type: 'text', text: `[${part.type} ${part.mediaType}, left out]` };
  }
}
