import type { Repair } from '@haft/repair/json';
import type { Coercion, CoercionCode } from '@haft/schema';
import type { ContentPart } from './content.ts';
import type { Effect, FileDiff } from './effect.ts';
import type { ToolError } from './error.ts';

/** A change that made a value match the schema, or (`preference`) a default that the user configured for the tool. */
export interface ArgumentCoercion extends Omit<Coercion, 'code'> {
  readonly code: CoercionCode | 'preference';
}

/** Describes how the arguments of a model were parsed and coerced. */
export interface ArgumentReport {
  /** The arguments as passed to the tool body, or as far as they could be parsed. */
  readonly value: unknown;
  /** `none`: unchanged. `safe`: only one interpretation. `lossy`: ambiguous. `truncated`: the text ended early. */
  readonly risk: 'none' | 'safe' | 'lossy' | 'truncated';
  /** Repairs made to the text. */
  readonly repairs: readonly Repair[];
  /** Coercions made to match the schema. */
  readonly coercions: readonly ArgumentCoercion[];
}

/** Members that successes and failures share. */
export interface ToolResultBase {
  readonly callId: string;
  readonly name: string;
  /** Content for the model. */
  readonly content: readonly ContentPart[];
  /** One line for people. */
  readonly summary?: string;
  readonly diff?: FileDiff;
  /** A value for programs, validated against the tool's output schema if it has one. */
  readonly structured?: unknown;
  readonly effects: readonly Effect[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Notes for the model that accompany the result. */
  readonly advisories: readonly string[];
  readonly arguments?: ArgumentReport;
  /** When the body started, in milliseconds since the epoch. If the body never ran, when the call arrived. */
  readonly startedAt: number;
  /** Duration of the body in milliseconds, without the time spent waiting for other calls or for a person. */
  readonly durationMs: number;
}

/** The result of a successful call. */
export interface ToolSuccess extends ToolResultBase {
  readonly ok: true;
}

/** The result of a failed call. */
export interface ToolFailure extends ToolResultBase {
  readonly ok: false;
  readonly error: ToolError;
}

/** The result of a call. Every call has exactly one. */
export type ToolResult = ToolSuccess | ToolFailure;
