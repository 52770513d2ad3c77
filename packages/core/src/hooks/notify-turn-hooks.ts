import type { ContentPart } from '../contracts/results/content.ts';
import type { Message } from '../contracts/conversation/model.ts';
import type { CallContext } from '../contracts/calls/call.ts';
import type { TurnInfo, TurnOutcome } from '../contracts/conversation/turn-hooks.ts';
import { renderPart } from '../results/render-for-model.ts';
import type { HookedAnswer, HookedTurn } from './hook-set.ts';

const maxMessages = 20;
const maxText = 10_000;

/** Describes the turn of a call for hooks. */
export function callInTurn({ session, sessionId, runId = '', turn = 0 }: CallContext): {
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
} {
  return { sessionId: sessionId ?? session?.id ?? '', runId, turn };
}

/** Converts a turn into data that can be sent to another process. */
export function notifyTurn({ runId, turn, modelName, sessionId = '', messages }: TurnInfo): HookedTurn {
  const last = messages.slice(-maxMessages).map((message) => ({ role: message.role, text: textOf(message) }));
  return { runId, sessionId, turn, modelName, messages: last };
}

/** Converts an answer into data that can be sent to another process, with the text as changed by earlier hooks. */
export function notifyOutcome({ finishReason, calls }: TurnOutcome, text: string): HookedAnswer {
  return { text, finishReason, calls };
}

function textOf({ content }: Message): string {
  const text = typeof content === 'string' ? content : content.filter(isReadable).map(renderPart).join('\n');
  return text.slice(0, maxText);
}

function isReadable({ type }: ContentPart): boolean {
  return type === 'text' || type === 'json';
}
