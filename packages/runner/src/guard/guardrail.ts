import type { CallInfo, ErrorCode, ToolResult } from '@haft/core';

/** A call as guardrails see it: after permission, with its final arguments. */
export interface GuardedCall extends CallInfo {
  /** The run, or session, that it belongs to. */
  readonly taskId: string;
  /** Equal for equal calls; absent when that can't be said. */
  readonly signature: string | undefined;
}

/** What a guardrail has to say: nothing, a remark that reaches the model with the result, or no. */
export type GuardrailVerdict =
  | undefined
  | { readonly advise: string }
  | {
      /** Why, in one sentence for the model. */
      readonly reject: string;
      /** What to do instead. */
      readonly hint?: string;
      /** Default `POLICY_BLOCKED`. */
      readonly code?: ErrorCode;
    };

/** A check before and after calls. It keeps what it must remember by task, and forgets it when told. */
export interface Guardrail {
  /** Unique among the guardrails of a source: what a rejection is marked with, and what it is switched off by. */
  readonly name: string;
  /** What sort of check it is, for reports. */
  readonly kind: 'schema' | 'policy' | 'order' | 'budget' | 'repetition' | 'verification' | (string & {});
  /** Comes before the body; a rejection keeps it from running. What it throws keeps it from running too. */
  before?(call: GuardedCall): GuardrailVerdict | Promise<GuardrailVerdict>;
  /** Comes after the body, which has had its effects: a rejection makes a failure of the result, with those effects. */
  after?(call: GuardedCall, result: ToolResult): GuardrailVerdict | Promise<GuardrailVerdict>;
  forgetTask?(taskId: string): void;
}
