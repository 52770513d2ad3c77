import type { CallInfo, ErrorCode, ToolResult } from '@haft/core';

/** A permitted call with its final arguments, as guardrails receive it. */
export interface GuardedCall extends CallInfo {
  /** Id of the run, or of the session. */
  readonly taskId: string;
  /** A key that is equal for equal calls. Undefined if the arguments are not JSON. */
  readonly signature: string | undefined;
}

/** Verdict of a guardrail: nothing, advice for the model, or a rejection. */
export type GuardrailVerdict =
  | undefined
  | { readonly advise: string }
  | {
      /** The reason, as one sentence for the model. */
      readonly reject: string;
      /** What to do instead. */
      readonly hint?: string;
      /** Default `POLICY_BLOCKED`. */
      readonly code?: ErrorCode;
    };

/** A check before and after calls. State is per task and dropped by `forgetTask`. */
export interface Guardrail {
  /** Unique within a source. Appears in rejections and selects guardrails to disable. */
  readonly name: string;
  /** Category, for reports. */
  readonly kind: 'schema' | 'policy' | 'order' | 'budget' | 'repetition' | 'verification' | (string & {});
  /** Runs before the tool. A rejection or an exception prevents the call. */
  before?(call: GuardedCall): GuardrailVerdict | Promise<GuardrailVerdict>;
  /** Runs after the tool. A rejection turns the result into a failure that keeps the effects. */
  after?(call: GuardedCall, result: ToolResult): GuardrailVerdict | Promise<GuardrailVerdict>;
  forgetTask?(taskId: string): void;
}
