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
      /** Free text in addition to the chosen options. */
      readonly text?: string;
    }
  /** A free-text answer, possible even if options were offered. */
  | { readonly kind: 'text'; readonly text: string }
  /** The user dismissed the question. */
  | { readonly kind: 'dismissed' }
  /** The user can't be asked. */
  | { readonly kind: 'unavailable' };

/** Asks the user a question. Resolves to the answer, and must stop waiting when the signal aborts. */
export type AskQuestion = (question: PersonQuestion, signal: AbortSignal) => Promise<PersonAnswer>;
