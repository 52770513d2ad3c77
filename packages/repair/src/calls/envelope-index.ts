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
  /** Openers that are always the same. */
  readonly fixed: OpenerTrie<OpenedEnvelope>;
  /** Openers that the tools decide. */
  readonly ofTools: OpenerTrie<OpenedEnvelope>;
}

// The list that everybody uses is arranged once and not again for every text; one that can change is not remembered.
const arranged = new WeakMap<readonly Envelope[], OpenerTrie<OpenedEnvelope>>();

/** Arranges envelopes for the tools at hand. */
export function indexEnvelopes(envelopes: readonly Envelope[], tools: readonly CallableTool[]): EnvelopeIndex {
  let fixed = arranged.get(envelopes);
  if (fixed === undefined) {
    fixed = arrange(envelopes, (envelope) => (typeof envelope.openers === 'function' ? [] : envelope.openers));
    if (Object.isFrozen(envelopes)) arranged.set(envelopes, fixed);
  }
  const ofTools = arrange(envelopes, ({ openers }) => (typeof openers === 'function' ? openers(tools) : []));
  return { untagged: envelopes.filter((envelope) => envelope.tier === 3), fixed, ofTools };
}

function arrange(
  envelopes: readonly Envelope[],
  openersOf: (envelope: Envelope) => readonly string[],
): OpenerTrie<OpenedEnvelope> {
  const trie = createOpenerTrie<OpenedEnvelope>();
  for (const [rank, envelope] of envelopes.entries()) {
    for (const opener of openersOf(envelope)) addOpener(trie, opener, { envelope, opener, rank });
  }
  return trie;
}

/** The envelopes one of whose openers stands at an offset, in the order in which they are tried. */
export function envelopesAt(index: EnvelopeIndex, text: string, at: number): readonly OpenedEnvelope[] {
  const fixed = openersAt(index.fixed, text, at);
  const ofTools = openersAt(index.ofTools, text, at);
  if (fixed.length + ofTools.length === 0) return fixed;
  return [...fixed, ...ofTools].sort((one, other) => one.rank - other.rank || other.opener.length - one.opener.length);
}
