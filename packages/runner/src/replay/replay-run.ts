import {
  defineTool,
  failure,
  toolError,
  ToolRegistry,
  type AnyTool,
  type Message,
  type Model,
  type ModelEvent,
  type ToolResult,
  type ToolSnapshot,
  type ToolSource,
} from '@haft/core';
import { fromStoredResult } from '@haft/core/results';
import type { RunAgentOptions } from '../options/agent-options.ts';
import type { AgentResult } from '../contracts/agent-result.ts';
import { reviveMessages, storeMessages } from '../history/stored-messages.ts';
import { runAgent } from '../agent/run-agent.ts';
import { findDifference, type Difference } from './find-difference.ts';
import { outcomeOf } from './record-run.ts';
import { readTape, type TapedTool, type TapeLine } from './tape.ts';

/** The first difference between a replay and its recording. */
export interface Divergence extends Difference {
  /** Line number in the recording, from 1. */
  readonly line: number;
  /** The part that differs: a model request, the calls of a turn, or the result of the run. */
  readonly what: 'request' | 'calls' | 'end';
}

/** A replayed run. */
export interface Replay {
  readonly result: AgentResult;
  /** Missing if everything matches the recording. */
  readonly divergence?: Divergence;
}

/**
 * Replays a recording of `recordRun`: runs the real loop with the recorded model output and tool results. It calls no
 * model or tool and never waits, so the same recording always gives the same run. The requests of the loop are compared
 * with the recording; the replay reports the first difference and continues.
 *
 * @param overrides replaces recorded options: functions (`onEvent`, `costOf`, `turnHooks`), or a changed prompt. Time
 * limits are not replayed.
 * @throws HaftError `INVALID_OPTION` if the recording is invalid.
 */
export async function replayRun(
  recording: string | readonly string[],
  overrides: Partial<Omit<RunAgentOptions, 'model' | 'tools' | 'signal' | 'steer' | 'shapeHistory'>> = {},
): Promise<Replay> {
  const lines = readTape(recording);
  const first = lines[0] as Extract<TapeLine, { readonly type: 'run' }>;
  const player = new TapePlayer(lines);
  const { limits, retries, ...options } = first.options as Partial<RunAgentOptions>;
  const { wallTimeMs: _, lastAnswerMs: __, ...countable } = limits ?? {};
  const result = await runAgent({
    ...options,
    limits: countable,
    retries: { ...retries, delayMs: 1 },
    messages: reviveMessages(first.messages),
    runId: first.runId,
    ...overrides,
    model: playModel(first.model, player),
    tools: playSource(player),
    steer: playSteering(lines),
    shapeHistory: playShapes(lines),
    signal: player.signal,
  });
  const end = lines.findIndex(({ type }) => type === 'end');
  const last = lines[end];
  if (last?.type === 'end') player.compare('end', end, last.outcome, outcomeOf(result));
  return { result, ...(player.divergence && { divergence: player.divergence }) };
}

/** Reads a recording, with a separate position for each type of line. */
class TapePlayer {
  readonly lines: readonly TapeLine[];
  divergence: Divergence | undefined;
  readonly #abort = new AbortController();
  readonly #at = new Map<string, number>();

  constructor(lines: readonly TapeLine[]) {
    this.lines = lines;
    if (lines[1]?.type === 'aborted') this.#abort.abort();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Returns the next line of a type with its position. */
  next<Type extends TapeLine['type']>(
    type: Type,
  ): { readonly line: Extract<TapeLine, { readonly type: Type }>; readonly at: number } | undefined {
    for (let at = (this.#at.get(type) ?? -1) + 1; at < this.lines.length; at += 1) {
      const line = this.lines[at]!;
      if (line.type !== type) continue;
      this.#at.set(type, at);
      return { line: line as Extract<TapeLine, { readonly type: Type }>, at };
    }
    this.#at.set(type, this.lines.length);
    return undefined;
  }

  /** Aborts if the recorded run was aborted directly after this line. */
  abortAfter(at: number): boolean {
    const isNext = this.lines[at + 1]?.type === 'aborted';
    if (isNext) this.#abort.abort();
    return isNext;
  }

  compare(what: Divergence['what'], at: number, expected: unknown, actual: unknown): void {
    if (this.divergence) return;
    const difference = findDifference(expected, actual);
    if (difference) this.divergence = { line: at + 1, what, ...difference };
  }

  /** Reports a request that the recording does not contain. */
  reportMissing(what: Divergence['what'], actual: unknown): void {
    this.divergence ??= { line: this.lines.length, what, path: '$', expected: undefined, actual };
  }
}

function playModel({ name, vendor, supports }: Pick<Model, 'name' | 'vendor' | 'supports'>, player: TapePlayer): Model {
  let sent: readonly Message[] = [];
  let recorded: readonly unknown[] = [];
  return {
    name,
    ...(vendor !== undefined && { vendor }),
    ...(supports && { supports }),
    async *generate({ messages, tools, toolChoice, responseSchema }) {
      const next = player.next('request');
      const names = tools.map((tool) => tool.name);
      if (!next) {
        player.reportMissing('request', { messages: messages.length, tools: names });
        throw toolError('MODEL_FAILED', 'the recording has no further answer', { retryable: false });
      }
      const { type: _, from, messages: rest, ...others } = next.line;
      // Identical objects were compared before.
      let known = 0;
      while (known < sent.length && known < from && sent[known] === messages[known]) known += 1;
      recorded = [...recorded.slice(0, from), ...rest];
      const request = {
        messages: await storeMessages(messages.slice(known)),
        tools: names,
        ...(toolChoice !== undefined && { toolChoice }),
        hasSchema: responseSchema !== undefined,
      };
      sent = [...messages];
      player.compare('request', next.at, { messages: recorded.slice(known), ...others }, request);
      yield* playAnswer(player, next.at);
    },
  };
}

async function* playAnswer(player: TapePlayer, from: number): AsyncGenerator<ModelEvent> {
  for (let at = from + 1; at < player.lines.length; at += 1) {
    const line = player.lines[at]!;
    if (line.type === 'model') yield line.event;
    else if (line.type === 'model-broken') throw toThrown(line.error);
    else if (line.type === 'aborted') player.abortAfter(at - 1);
    else if (line.type === 'model-ended') return;
    else break;
    if (line.type === 'model' && line.event.type === 'finish') {
      player.abortAfter(at);
      return;
    }
  }
  throw toThrown(undefined);
}

/** Removes the delay that the vendor requested. */
function toThrown(error: unknown): unknown {
  if (typeof error !== 'object' || error === null)
    return toolError('MODEL_FAILED', 'the recorded answer ended with an error', { retryable: true });
  const { details, ...rest } = error as { readonly details?: Readonly<Record<string, unknown>> };
  return {
    ...rest,
    ...(details && { details: { ...details, ...('retryAfterMs' in details && { retryAfterMs: 0 }) } }),
  };
}

function playSource(player: TapePlayer): ToolSource {
  let shown: ToolSnapshot = new ToolRegistry({ tools: [] }).snapshot();
  const unknown = (id: string, name: string): ToolResult =>
    failure(id, toolError('EXECUTION_ERROR', 'the recording has no answer to this call'), { name });
  return {
    snapshot: () => shown,
    visibleTo() {
      const next = player.next('tools');
      if (next?.line.tools) shown = snapshotOf(next.line.tools);
      if (next) player.abortAfter(next.at);
      return Promise.resolve(shown);
    },
    dispatch: (call) => Promise.resolve(unknown(call.id, call.name)),
    dispatchBatch(calls, context) {
      const next = player.next('calls');
      const answers = player.next('results');
      if (next) {
        player.compare('calls', next.at, next.line.calls, JSON.parse(JSON.stringify(calls)));
        player.abortAfter(next.at);
      } else player.reportMissing('calls', calls);
      const results = calls.map((call, index) => {
        const stored = answers?.line.results[index];
        return stored === undefined ? unknown(call.id, call.name) : { ...fromStoredResult(stored), callId: call.id };
      });
      for (const index of answers?.line.order ?? []) {
        const result = results[index];
        if (result) context?.onResult?.(result, index);
      }
      if (answers) player.abortAfter(answers.at);
      return Promise.resolve(results);
    },
  };
}

function snapshotOf(tools: readonly TapedTool[]): ToolSnapshot {
  const registry = new ToolRegistry({ tools: [] });
  for (const { name, description, inputSchema, provider, aliases = {} } of tools) {
    const input = typeof inputSchema === 'object' ? inputSchema : {};
    const tool = defineTool({ name, naming: 'wire', description, input, aliases, execute: () => undefined }) as AnyTool;
    if (provider === '') registry.register(tool);
    else registry.registerWithProvider(tool, provider);
  }
  return registry.snapshot();
}

function playSteering(lines: readonly TapeLine[]): NonNullable<RunAgentOptions['steer']> {
  let drains = 0;
  let looks = 0;
  const find = <Type extends 'steer' | 'waiting'>(type: Type, nth: number) =>
    lines.find((line): line is Extract<TapeLine, { readonly type: Type }> => line.type === type && line.nth === nth);
  return {
    get size() {
      return find('waiting', (looks += 1))?.size ?? 0;
    },
    steer: () => false,
    peek: () => [],
    close() {},
    drain: () => find('steer', (drains += 1))?.messages ?? [],
  };
}

function playShapes(lines: readonly TapeLine[]): NonNullable<RunAgentOptions['shapeHistory']> {
  let nth = 0;
  return () => {
    nth += 1;
    const line = lines.find((one) => one.type === 'shaped' && one.nth === nth);
    return line?.type === 'shaped' ? reviveMessages(line.messages) : undefined;
  };
}
