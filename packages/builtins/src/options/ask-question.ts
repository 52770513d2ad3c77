/** A question for the user. */
export interface PersonQuestion {
  readonly question: string;
  /** The choices; empty for a free-text answer. */
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  /** Whether the user may choose more than one. */
  readonly multiple: boolean;
  readonly sessionId: string;
  readonly callId: string;
}

/** The user's answer. */
export type PersonAnswer =
  | {
      readonly kind: 'chosen';
      readonly labels: readonly string[];
      /** Free text beside the choice. */ readonly text?: string;
    }
  /** Free text, possible even when options were offered. */
  | { readonly kind: 'text'; readonly text: string }
  /** The user declined to answer. */
  | { readonly kind: 'dismissed' }
  /** The user can't be reached. */
  | { readonly kind: 'unavailable' };

/** Asks the user and waits for the answer, until the signal aborts. */
export type AskQuestion = (question: PersonQuestion, signal: AbortSignal) => Promise<PersonAnswer>;
