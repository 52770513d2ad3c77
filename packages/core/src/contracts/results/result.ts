import type { Repair } from '@haft/repair/json';
import type { Coercion, CoercionCode } from '@haft/schema';
import type { ContentPart } from './content.ts';
import type { Effect, FileDiff } from './effect.ts';
import type { ToolError } from './error.ts';

/** One way in which a value was fitted: to the schema, or (`preference`) by a default that the user set for the tool. */
export interface ArgumentCoercion extends Omit<Coercion, 'code'> {
  readonly code: CoercionCode | 'preference';
}

/** What was made of the arguments a model wrote. */
export interface ArgumentReport {
  /** The arguments as the tool body was given them, or as far as they were understood. */
  readonly value: unknown;
  /** `none`: as written; `safe`: one reading; `lossy`: a choice was made; `truncated`: the text ended early. */
  readonly risk: 'none' | 'safe' | 'lossy' | 'truncated';
  /** What the characters meant, fix by fix. */
  readonly repairs: readonly Repair[];
  /** How values were fitted to the schema. */
  readonly coercions: readonly ArgumentCoercion[];
}

/** What success and failure have in common. */
export interface ToolResultBase {
  readonly callId: string;
  readonly name: string;
  /** For the model. */
  readonly content: readonly ContentPart[];
  /** One line for people. */
  readonly summary?: string;
  readonly diff?: FileDiff;
  /** For programs, checked against the tool's output schema when it has one. */
  readonly structured?: unknown;
  readonly effects: readonly Effect[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Remarks that accompany the result to the model. */
  readonly advisories: readonly string[];
  readonly arguments?: ArgumentReport;
  /** When the body began, in milliseconds since the epoch; when the call came, if its body never ran. */
  readonly startedAt: number;
  /** How long the body took, without waiting for other calls or for a person. */
  readonly durationMs: number;
}

/** The answer of a call that did what was asked. */
export interface ToolSuccess extends ToolResultBase {
  readonly ok: true;
}

/** The answer of a call that did not. */
export interface ToolFailure extends ToolResultBase {
  readonly ok: false;
  readonly error: ToolError;
}

/** The one answer every call gets. */
export type ToolResult = ToolSuccess | ToolFailure;
