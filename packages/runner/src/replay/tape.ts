import { HaftError, type ModelEvent, type ModelTool, type ToolCall } from '@haft/core';
import type { StoredResult } from '@haft/core/results';
import type { StoredMessage } from '../agent/stored-messages.ts';
import type { SteerMessage } from '../steer-queue.ts';

/** A tool as a recording keeps it. */
export interface TapedTool extends Pick<ModelTool, 'name' | 'description' | 'inputSchema'> {
  readonly provider: string;
}

/** What was asked of a model. */
export interface TapedRequest {
  /** How many messages are those of the request before. */
  readonly from: number;
  /** The rest. */
  readonly messages: readonly StoredMessage[];
  readonly tools: readonly string[];
  readonly toolChoice?: unknown;
  readonly hasSchema: boolean;
}

/** One line of a recording: what came into a run from outside, and what it asked for, in order. */
export type TapeLine =
  | {
      readonly type: 'run';
      readonly version: 1;
      readonly runId: string;
      readonly model: { readonly name: string; readonly vendor?: string };
      readonly messages: readonly StoredMessage[];
      /** The options that are data. */
      readonly options: Readonly<Record<string, unknown>>;
    }
  /** What the model may be shown; without tools: as before. */
  | { readonly type: 'tools'; readonly tools?: readonly TapedTool[] }
  | ({ readonly type: 'request' } & TapedRequest)
  | { readonly type: 'model'; readonly event: ModelEvent }
  /** Its stream ended without saying why. */
  | { readonly type: 'model-ended' }
  /** The model threw; without an error, nobody listened to it any more. */
  | { readonly type: 'model-broken'; readonly error?: unknown }
  | { readonly type: 'calls'; readonly calls: readonly ToolCall[] }
  /** The answers in call order, and the order in which they came. */
  | { readonly type: 'results'; readonly results: readonly StoredResult[]; readonly order: readonly number[] }
  | { readonly type: 'steer'; readonly nth: number; readonly messages: readonly SteerMessage[] }
  | { readonly type: 'waiting'; readonly nth: number; readonly size: number }
  | { readonly type: 'shaped'; readonly nth: number; readonly messages: readonly StoredMessage[] }
  | { readonly type: 'aborted' }
  | { readonly type: 'end'; readonly outcome: TapedOutcome };

/** What became of a run, as far as it has to be the same again. */
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
 * Reads a recording: the lines of a JSONL file, or its whole text.
 * @throws HaftError `INVALID_OPTION` for what is none, with the line.
 */
export function readTape(recording: string | readonly string[]): readonly TapeLine[] {
  const texts = (typeof recording === 'string' ? recording.split('\n') : recording).filter(
    (line) => line.trim() !== '',
  );
  const lines = texts.map((text, at): TapeLine => {
    try {
      return JSON.parse(text) as TapeLine;
    } catch (cause) {
      throw new HaftError('INVALID_OPTION', `line ${at + 1} of the recording is no JSON`, { cause });
    }
  });
  const [first] = lines;
  if (first?.type !== 'run' || first.version !== 1)
    throw new HaftError('INVALID_OPTION', 'a recording begins with a line { "type": "run", "version": 1, … }');
  return lines;
}
