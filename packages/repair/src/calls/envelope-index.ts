import type { Envelope } from './envelope.ts';
import type { CallableTool } from './extraction.ts';
import { addOpener, createOpenerTrie, openersAt, type OpenerTrie } from './opener-trie.ts';

/** An envelope that may begin at some place, and the opener that says so. */
export interface OpenedEnvelope {
  readonly envelope: Envelope;
  readonly opener: string;
  /** Its place in the order in which envelopes are tried. */
  readonly rank: number;
}

/** The envelopes to look for, arranged for finding them. */
export interface EnvelopeIndex {
  readonly untagged: readonly Envelope[];
  readonly tagged: OpenerTrie<OpenedEnvelope>;
}

/** Arranges envelopes for the tools at hand. */
export function indexEnvelopes(envelopes: readonly Envelope[], tools: readonly CallableTool[]): EnvelopeIndex {
  const tagged = createOpenerTrie<OpenedEnvelope>();
  for (const [rank, envelope] of envelopes.entries()) {
    const openers = typeof envelope.openers === 'function' ? envelope.openers(tools) : envelope.openers;
    for (const opener of openers) addOpener(tagged, opener, { envelope, opener, rank });
  }
  return { untagged: envelopes.filter((envelope) => envelope.tier === 3), tagged };
}

/** The envelopes one of whose openers stands at an offset, in the order in which they are tried. */
export function envelopesAt(index: EnvelopeIndex, text: string, at: number): readonly OpenedEnvelope[] {
  const found = openersAt(index.tagged, text, at);
  return found.length < 2
    ? found
    : [...found].sort((one, other) => one.rank - other.rank || other.opener.length - one.opener.length);
}
