/** An answer of a person that holds for later calls. */
export interface Grant {
  readonly key: string;
  /** `session`: for the rest of one session. `always`: in every session. */
  readonly scope: 'session' | 'always';
  /** The session it was given in. */
  readonly sessionId: string;
  readonly tool: string;
  readonly provider: string;
  /** What was allowed, for people. */
  readonly title: string;
  /** The plain command lines it is for, in the folder `cwd`; without it, for exactly one call. */
  readonly command?: string;
  readonly cwd?: string;
  /** Milliseconds since the epoch from which it no longer holds. */
  readonly expiresAt?: number;
}
