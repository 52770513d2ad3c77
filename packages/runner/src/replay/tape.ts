import { HaftError, type AnyTool, type Model, type ModelEvent, type ModelTool, type ToolCall } from '@haft/core';
import type { StoredResult } from '@haft/core/results';
import type { StoredMessage } from '../history/stored-messages.ts';
import type { SteerMessage } from '../steer-queue.ts';

/** A recorded tool. */
export interface TapedTool extends Pick<ModelTool, 'name' | 'description' | 'inputSchema'> {
  readonly provider: string;
  /** Missing if the tool has none. */
  readonly aliases?: AnyTool['aliases'];
}

/** A recorded model request. */
export interface TapedRequest {
  /** Number of messages shared with the previous request. */
  readonly from: number;
  /** The remaining messages. */
  readonly messages: readonly StoredMessage[];
  readonly tools: readonly string[];
  readonly toolChoice?: unknown;
  readonly hasSchema: boolean;
}

/** One line of a recording: input of a run or a request of the loop, in order. */
export type TapeLine =
  | {
      readonly type: 'run';
      readonly version: 1;
      readonly runId: string;
      readonly model: Pick<Model, 'name' | 'vendor' | 'supports'>;
      readonly messages: readonly StoredMessage[];
      /** Options that are plain data. */
      readonly options: Readonly<Record<string, unknown>>;
    }
  /** The visible tools. Missing if unchanged. */
  | { readonly type: 'tools'; readonly tools?: readonly TapedTool[] }
  | ({ readonly type: 'request' } & TapedRequest)
  | { readonly type: 'model'; readonly event: ModelEvent }
  /** Whether the stream ended without a finish reason. */
  | { readonly type: 'model-ended' }
  /** Set if the model threw. Without `error`, it threw after an abort. */
  | { readonly type: 'model-broken'; readonly error?: unknown }
  | { readonly type: 'calls'; readonly calls: readonly ToolCall[] }
  /** The answers in call order, and the order in which they arrived. */
  | { readonly type: 'results'; readonly results: readonly StoredResult[]; readonly order: readonly number[] }
  | { readonly type: 'steer'; readonly nth: number; readonly messages: readonly SteerMessage[] }
  | { readonly type: 'waiting'; readonly nth: number; readonly size: number }
  | { readonly type: 'shaped'; readonly nth: number; readonly messages: readonly StoredMessage[] }
  | { readonly type: 'aborted' }
  | { readonly type: 'end'; readonly outcome: TapedOutcome };

/** The parts of a result that a replay must reproduce. */
export interface TapedOutcome {
  readonly stopReason: string;
  readonly limit?: string;
  readonly text: string;
  readonly turns: number;
  readonly output?: unknown;
  readonly error?: string;
  readonly calls: readonly (readonly [id: string, name: string, outcome: string])[];
}

/**
 * Parses a recording: the lines of a JSONL file, or its whole text.
 * @throws HaftError `INVALID_OPTION` with the line number if a line is invalid.
 */
export function readTape(recording: string | readonly string[]): readonly TapeLine[] {
  const texts = (typeof recording === 'string' ? recording.split('\n') : recording).filter(
    (line) => line.trim() !== '',
  );
  const lines = texts.map((text, at): TapeLine => {
    try {
      return JSON.parse(text) as TapeLine;
    } catch (cause) {
      throw new HaftError('INVALID_OPTION', `recording: line ${at + 1} is not valid JSON`, { cause });
    }
  });
  const [first] = lines;
  if (first?.type !== 'run' || first.version !== 1)
    throw new HaftError(
      'INVALID_OPTION',
      'recording: invalid first line (expected { "type": "run", "version": 1, … })',
    );
  return lines;
}
