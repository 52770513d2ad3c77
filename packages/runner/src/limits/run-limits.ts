/** Which bound of a run was reached. */
export type LimitKind = 'turns' | 'tool-calls' | 'tokens' | 'wall-time' | 'cost';

/**
 * What a run may use besides its requests. At a limit the model is asked once more, without tools, for its answer; what
 * that request takes comes on top. Default: none.
 */
export interface RunLimits {
  /** Calls that are run; those of the turn that goes beyond are answered with `LIMIT_REACHED`. */
  readonly toolCalls?: number;
  /** Tokens of all requests together, of input and output, as far as the vendor reports them. */
  readonly tokens?: number;
  /** US dollars of all requests together, as the model reports them, or as `costOf` reckons them. */
  readonly costUsd?: number;
  /** Milliseconds. A request or calls still going on then are broken off; the last answer may take `lastAnswerMs` more. */
  readonly wallTimeMs?: number;
  /** Milliseconds for the answer after `wallTimeMs`; default 30,000. */
  readonly lastAnswerMs?: number;
}
