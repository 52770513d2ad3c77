import type { Envelope } from './envelope.ts';
import type { CallableTool } from './extraction.ts';
import type { GrowingText, Reading } from './growing-text.ts';
import { addOpener, createOpenerTrie, findOpeners, type OpenerTrie } from './opener-trie.ts';

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
    for (const opener of openersOf(envelope)) {
      if (opener !== '') addOpener(trie, opener, { envelope, opener, rank });
    }
  }
  return trie;
}

/** Whether an opener may stand at an offset, as far as its first two characters say. */
export function mayOpenAt({ fixed, ofTools }: EnvelopeIndex, text: string, at: number, ended: boolean): boolean {
  return mayBegin(fixed, text, at, ended) || mayBegin(ofTools, text, at, ended);
}

function mayBegin(trie: OpenerTrie<OpenedEnvelope>, text: string, at: number, ended: boolean): boolean {
  const node = trie.next.get(text.charCodeAt(at));
  if (node === undefined) return false;
  if (node.values.length > 0) return true;
  return at + 1 < text.length ? node.next.has(text.charCodeAt(at + 1)) : !ended;
}

/** The envelopes one of whose openers stands at an offset, in the order in which they are tried. */
export function* envelopesAt(
  index: EnvelopeIndex,
  source: GrowingText,
  at: number,
): Reading<readonly OpenedEnvelope[]> {
  for (;;) {
    const { text, ended } = source;
    const found: OpenedEnvelope[] = [];
    const isFixedOpen = findOpeners(index.fixed, text, at, found);
    const isOpen = findOpeners(index.ofTools, text, at, found) || isFixedOpen;
    if (ended || !isOpen) {
      return found.sort((one, other) => one.rank - other.rank || other.opener.length - one.opener.length);
    }
    yield undefined;
  }
}
