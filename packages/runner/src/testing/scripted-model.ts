import type { FinishReason, Model, ModelEvent, ModelRequest, Usage } from '@haft/core';
import {
  anyKind,
  arrayOf,
  booleanKind,
  checkOption,
  checkOptions,
  either,
  functionKind,
  integerKind,
  objectOf,
  oneOf,
  required,
  stringKind,
  type OptionTable,
} from '@haft/core/options';
import { scriptedChunks } from './scripted-chunks.ts';

/** One call of a scripted answer. */
export interface ScriptedCall {
  readonly name: string;
  /** Text is sent unchanged, valid or not; other values as JSON. Default `{}`. */
  readonly arguments?: unknown;
  /** Default `call_1`, `call_2` … over the whole script. */
  readonly id?: string;
  /** Sends the start and the deltas but not the end, like a broken stream. */
  readonly cut?: boolean;
}

/** One answer of the model, in the order: reasoning, text, calls, usage, finish. */
export interface ScriptedAnswer {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: Usage;
  /** Default: `tool-calls` with calls, otherwise `stop`. */
  readonly finishReason?: FinishReason;
  /** Thrown instead of the finish event. */
  readonly error?: unknown;
  /** Replaces the finish event: `silence` waits until the request is aborted, `end` ends the stream. */
  readonly instead?: 'silence' | 'end';
}

/** A turn: text, an answer, or a function of the request that returns either, possibly asynchronously. */
export type ScriptedTurn =
  | string
  | ScriptedAnswer
  | ((request: ModelRequest, index: number) => string | ScriptedAnswer | Promise<string | ScriptedAnswer>);

/** Options of {@link scriptedModel}. */
export interface ScriptedModelOptions {
  readonly name?: string;
  readonly vendor?: string;
  /** Lengths of the text chunks in code points, used in rotation; default 3, 1, 7, 2, 5. */
  readonly chunks?: readonly number[];
}

/** A model with scripted answers. */
export interface ScriptedModel extends Model {
  /** All requests so far. */
  readonly requests: readonly ModelRequest[];
  /** Number of unused turns. */
  readonly remaining: number;
  /** Throws if unused turns remain, because the run ended earlier than the script. */
  assertComplete(): void;
}

const callKind = objectOf<ScriptedCall>(
  { name: required(stringKind), arguments: anyKind, id: stringKind, cut: booleanKind },
  "{ name: 'read', arguments: { path: 'a.txt' } }",
);
const answerKind = objectOf<ScriptedAnswer>(
  {
    reasoning: stringKind,
    text: stringKind,
    calls: arrayOf(callKind, "an array such as [{ name: 'read', arguments: { path: 'a.txt' } }]"),
    usage: anyKind,
    finishReason: stringKind,
    error: anyKind,
    instead: oneOf('silence', 'end'),
  },
  "{ text: 'Hello' } or { calls: [{ name: 'read', arguments: {} }] }",
);
const turnsKind = arrayOf<ScriptedTurn>(
  either(stringKind, answerKind, functionKind),
  "an array of turns, such as ['Hello'] or [{ calls: [{ name: 'read', arguments: {} }] }, 'Done']",
);
const table: OptionTable<ScriptedModelOptions> = {
  name: stringKind,
  vendor: stringKind,
  chunks: arrayOf(integerKind({ min: 1 })),
};

/**
 * Creates a model that answers the nth request with the nth turn, in deterministic chunks and without a network. A
 * request beyond the script fails with an error that is not retryable.
 *
 * @throws HaftError `INVALID_OPTION` if the turns or the options are not valid.
 */
export function scriptedModel(turns: readonly ScriptedTurn[], options: ScriptedModelOptions = {}): ScriptedModel {
  checkOption('scriptedModel', 'turns', turns, turnsKind);
  checkOptions('scriptedModel', options, table, "{ name: 'scripted' }");
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
      // The messages are copied, because the loop keeps adding to its array.
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
  for (const chunk of scriptedChunks(reasoning, playing.chunks)) yield { type: 'reasoning', text: chunk };
  for (const chunk of scriptedChunks(text, playing.chunks)) yield { type: 'text', text: chunk };
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
  for (const chunk of scriptedChunks(text, chunks)) yield { type: 'tool-call-delta', id, text: chunk };
  if (!call.cut) yield { type: 'tool-call', id, name, arguments: text };
}

/** Rejects when the signal aborts. Without a signal it never settles. */
function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
  });
}
