import type { Issue, IssueLocale } from '@haft/schema';
import type { Fault } from './fault.ts';

/** Why a permission engine denied a call. */
export interface Denial {
  readonly source: 'rule' | 'person' | 'protected' | 'no-approver' | 'mode' | 'hook';
  /** One sentence for the model and the user. */
  readonly reason: string;
  /** Key of the rule that caused the denial, if any. */
  readonly ruleKey?: string;
  /** What the model can do instead. */
  readonly hint?: string;
  /** What the developer can do to allow such calls. Appended to the error message, but never shown to the model. */
  readonly remedy?: string;
}

/** An error that programs can branch on and models can act on. */
export interface ToolError {
  /** A permanent code in SCREAMING_SNAKE_CASE. `docs/errors.md` lists the codes of Haft. */
  readonly code: string;
  readonly fault: Fault;
  /**
   * Whether the same call may succeed later without changes. The model or the program may send it again. The dispatcher
   * itself repeats a call only with the option `retries`, and only before the deadline of the call.
   */
  readonly retryable: boolean;
  /** What happened. For `host` faults, the model sees `modelMessage` or a shorter line instead. */
  readonly message: string;
  /** What the model sees instead of `message`. The dispatcher sets it for a thrown error, with secrets masked. */
  readonly modelMessage?: string;
  /** What the model should do next: a short imperative sentence. */
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly issues?: readonly Issue[];
  /** The language in which the model reads the issues. Default: `en`. */
  readonly locale?: IssueLocale;
  readonly denial?: Denial;
  /** The thrown value. For the operator only and never shown to a model. */
  readonly cause?: unknown;
}
