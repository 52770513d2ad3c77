import type { FinishReason, Model, ModelEvent, ModelRequest, Usage } from '@haft/core';
import { splitText } from './split-text.ts';

/** One call of a scripted answer. */
export interface ScriptedCall {
  readonly name: string;
  /** Text is sent as it is, broken or not; anything else as JSON. Default `{}`. */
  readonly arguments?: unknown;
  /** Default `call_1`, `call_2` … over the whole script. */
  readonly id?: string;
  /** Sends beginning and pieces but never the end, as a cut stream does. */
  readonly cut?: boolean;
}

/** One answer of the model, in the order: reasoning, text, calls, usage, end. */
export interface ScriptedAnswer {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: Usage;
  /** Default: `tool-calls` when there are calls, else `stop`. */
  readonly finishReason?: FinishReason;
  /** Thrown instead of the end. */
  readonly error?: unknown;
  /** Instead of the end: `silence` waits until the request is aborted, `end` ends the stream without a finish. */
  readonly instead?: 'silence' | 'end';
}

/** A turn: text, a whole answer, or either as a function of the request, which may also wait for something. */
export type ScriptedTurn =
  | string
  | ScriptedAnswer
  | ((request: ModelRequest, index: number) => string | ScriptedAnswer | Promise<string | ScriptedAnswer>);

/** What {@link scriptedModel} takes besides its turns. */
export interface ScriptedModelOptions {
  readonly name?: string;
  readonly vendor?: string;
  /** Lengths, in code points, of the pieces that text is sent in, taken in turn; default 3, 1, 7, 2, 5. */
  readonly chunks?: readonly number[];
}

/** A model whose answers are data. */
export interface ScriptedModel extends Model {
  /** Every request so far. */
  readonly requests: readonly ModelRequest[];
  /** Turns not used yet. */
  readonly remaining: number;
  /** Throws when turns are left over: the run ended earlier than the script. */
  assertComplete(): void;
}

/**
 * Makes a model that answers its n-th request with the n-th turn, in pieces, the same way each time. It reads nothing
 * and calls nobody, so that a loop around it can be tested offline. A request beyond the script fails, not retryably.
 */
export function scriptedModel(turns: readonly ScriptedTurn[], options: ScriptedModelOptions = {}): ScriptedModel {
  const { name = 'scripted', vendor = 'haft', chunks } = options;
  const requests: ModelRequest[] = [];
  let callCount = 0;
  const nextCallId = (): string => `call_${(callCount += 1)}`;
  return {
    name,
    vendor,
    requests,
    get remaining() {
      return Math.max(0, turns.length - requests.length);
    },
    assertComplete() {
      if (requests.length >= turns.length) return;
      throw new Error(`the script has ${turns.length} turns, but only ${requests.length} requests were made`);
    },
    async *generate(request) {
      const index = requests.length;
      // A loop goes on with the conversation it has sent.
      requests.push({ ...request, messages: [...request.messages] });
      const turn = turns[index];
      if (turn === undefined)
        throw new Error(`the script has ${turns.length} turns, but request ${index + 1} was made`);
      const answer = typeof turn === 'function' ? await turn(request, index) : turn;
      yield* play(typeof answer === 'string' ? { text: answer } : answer, {
        chunks,
        nextCallId,
        signal: request.signal,
      });
    },
  };
}

interface Playing {
  readonly chunks: readonly number[] | undefined;
  readonly nextCallId: () => string;
  readonly signal: AbortSignal | undefined;
}

async function* play(answer: ScriptedAnswer, playing: Playing): AsyncGenerator<ModelEvent> {
  const { reasoning = '', text = '', calls = [], usage } = answer;
  for (const chunk of splitText(reasoning, playing.chunks)) yield { type: 'reasoning', text: chunk };
  for (const chunk of splitText(text, playing.chunks)) yield { type: 'text', text: chunk };
  for (const call of calls) yield* playCall(call, playing);
  if (usage) yield { type: 'usage', usage };
  if (answer.error !== undefined) throw answer.error;
  if (answer.instead === 'silence') await aborted(playing.signal);
  if (answer.instead === 'end') return;
  yield { type: 'finish', reason: answer.finishReason ?? (calls.length > 0 ? 'tool-calls' : 'stop') };
}

function* playCall(call: ScriptedCall, { chunks, nextCallId }: Playing): Generator<ModelEvent> {
  const { name, id = nextCallId(), arguments: args = {} } = call;
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  yield { type: 'tool-call-start', id, name };
  for (const chunk of splitText(text, chunks)) yield { type: 'tool-call-delta', id, text: chunk };
  if (!call.cut) yield { type: 'tool-call', id, name, arguments: text };
}

/** Rejects once the signal aborts; without a signal it never settles. */
function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
  });
}
