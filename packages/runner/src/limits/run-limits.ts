/** The limit that a run reached. */
export type LimitKind = 'turns' | 'tool-calls' | 'tokens' | 'wall-time' | 'cost';

/**
 * Limits of a run besides its requests. At a limit the model gets one more request without tools for its answer, which
 * may exceed the limit. Default: unlimited.
 */
export interface RunLimits {
  /** Calls to run. Further calls of the turn are answered with `LIMIT_REACHED`. */
  readonly toolCalls?: number;
  /** Input and output tokens of all requests, as reported by the vendor. */
  readonly tokens?: number;
  /** US dollars of all requests, as reported by the model or by `costOf`. */
  readonly costUsd?: number;
  /** Milliseconds. A running request or call is aborted; the last answer may take another `lastAnswerMs`. */
  readonly wallTimeMs?: number;
  /** Milliseconds for the answer after `wallTimeMs`; default 30,000. */
  readonly lastAnswerMs?: number;
}
