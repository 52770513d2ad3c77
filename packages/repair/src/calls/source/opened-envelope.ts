import type { Envelope } from '../contract/envelope.ts';

/** An envelope that may begin at some place, and the opener that says so. */
export interface OpenedEnvelope {
  readonly envelope: Envelope;
  readonly opener: string;
  /** Its place in the order in which envelopes are tried. */
  readonly rank: number;
}
