/** A call that waits for a person. Any host may show it. */
export interface Question {
  readonly id: string;
  readonly job: string;
  readonly callId: string;
  readonly tool: string;
  readonly provider: string;
  /** One line that describes what the call is about to do. */
  readonly title: string;
  /** The exact arguments that will run. */
  readonly arguments: unknown;
  /** The reason why a person is asked. */
  readonly reason: string;
  readonly sessionId: string;
  /** Times of the database's clock, in milliseconds since the epoch. */
  readonly askedAt: number;
  readonly expiresAt: number;
}

/** The answer of a person. */
export interface Answer {
  readonly action: 'allow' | 'deny';
  /** The person who answered. */
  readonly by: string;
  /** For a denial: one sentence for the model. */
  readonly reason?: string;
}

/** Options of `approvals`. */
export interface ApprovalOptions {
  /** How long a question can be answered, in milliseconds. Then the call is denied. Default: 7 days. */
  readonly expiresMs?: number;
}
