/** What a person is asked. */
export interface PersonQuestion {
  readonly question: string;
  /** What they may choose from; empty for an answer in their own words. */
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  /** Whether they may choose more than one. */
  readonly multiple: boolean;
  readonly sessionId: string;
  readonly callId: string;
}

/** What a person said. */
export type PersonAnswer =
  | {
      readonly kind: 'chosen';
      readonly labels: readonly string[];
      /** Words of their own beside it. */ readonly text?: string;
    }
  /** In their own words, though there may have been options. */
  | { readonly kind: 'text'; readonly text: string }
  /** They don't want to answer. */
  | { readonly kind: 'dismissed' }
  /** There is nobody who could be asked. */
  | { readonly kind: 'nobody' };

/** Puts a question to a person and waits for the answer, until the signal aborts. */
export type AskQuestion = (question: PersonQuestion, signal: AbortSignal) => Promise<PersonAnswer>;
