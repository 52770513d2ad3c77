/** An answer of the user that applies to later calls. */
export interface Grant {
  readonly key: string;
  /** `session`: until the end of one session. `always`: in every session. */
  readonly scope: 'session' | 'always';
  /** The session in which the user gave the answer. */
  readonly sessionId: string;
  readonly tool: string;
  readonly provider: string;
  /** A description of what was allowed, for display. */
  readonly title: string;
  /**
   * The pattern of simple command lines that the grant allows in the folder `cwd`. Without it, the grant allows exactly
   * one call.
   */
  readonly command?: string;
  readonly cwd?: string;
  /** Time at which the grant expires, in milliseconds since the epoch. */
  readonly expiresAt?: number;
}
