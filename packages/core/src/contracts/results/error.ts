import type { Issue } from '@haft/schema';
import type { Fault } from './fault.ts';

/** Why a permission engine said no. */
export interface Denial {
  readonly source: 'rule' | 'person' | 'protected' | 'nobody-to-ask' | 'mode' | 'hook';
  /** One sentence that the model and a person can read. */
  readonly reason: string;
  /** Which rule spoke, when one did. */
  readonly ruleKey?: string;
  /** What may be done instead. */
  readonly hint?: string;
  /** What the program can do so that such calls may run; ends the message of the failure, and is kept from the model. */
  readonly remedy?: string;
}

/** A failure that a program can branch on and a model can act on. */
export interface ToolError {
  /** SCREAMING_SNAKE and permanent; `docs/errors.md` lists Haft's own. */
  readonly code: string;
  readonly fault: Fault;
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** What happened; for `host` faults the model gets a shorter line instead. */
  readonly message: string;
  /** What the model should do next: short and imperative. */
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly issues?: readonly Issue[];
  readonly denial?: Denial;
  /** The thrown value, for the operator only; never rendered to a model. */
  readonly cause?: unknown;
}
