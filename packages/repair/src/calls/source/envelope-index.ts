import type { CallableTool, Envelope } from '../contract/envelope.ts';

/** An envelope that may begin at an offset, and its opener. */
export interface OpenedEnvelope {
  readonly envelope: Envelope;
  readonly opener: string;
  /** Its position in the order in which envelopes are tried. */
  readonly rank: number;
}

/** A trie of openers, so that finding those at one offset takes time in proportion to the longest match. */
export interface OpenerTrie {
  /** The envelopes whose opener ends here. */
  readonly values: OpenedEnvelope[];
  readonly next: Map<number, OpenerTrie>;
}

/** Envelopes, arranged for fast search. */
export interface EnvelopeIndex {
  readonly bare: readonly Envelope[];
  /** Openers that do not depend on the tools. */
  readonly fixed: OpenerTrie;
  /** Openers that depend on the tools. */
  readonly ofTools: OpenerTrie;
}

/** No envelopes. */
export const noEnvelopes: EnvelopeIndex = {
  bare: [],
  fixed: { values: [], next: new Map() },
  ofTools: { values: [], next: new Map() },
};

// The default list is arranged only once. A custom list may change, so it is not cached.
const fixedParts = new WeakMap<readonly Envelope[], Pick<EnvelopeIndex, 'bare' | 'fixed'>>();

/** The content of a list of tools when the envelopes were arranged for it. */
interface Arrangement {
  readonly envelopes: readonly Envelope[];
  readonly tools: readonly CallableTool[];
  readonly names: readonly string[];
  readonly index: EnvelopeIndex;
}

// Cached because the texts of a conversation use one list of tools, and computing many openers takes longer than
// reading a text.
const ofLists = new WeakMap<readonly CallableTool[], Arrangement>();

/** Arranges envelopes for the given tools. */
export function indexEnvelopes(envelopes: readonly Envelope[], tools: readonly CallableTool[]): EnvelopeIndex {
  const former = ofLists.get(tools);
  if (former !== undefined && former.envelopes === envelopes && isAsArranged(former, tools)) return former.index;
  const ofTools = arrange(envelopes, (openers) => (typeof openers === 'function' ? openers(tools) : []));
  const index = { ...fixedPart(envelopes), ofTools };
  if (Object.isFrozen(envelopes))
    ofLists.set(tools, { envelopes, tools: [...tools], names: tools.map(({ name }) => name), index });
  return index;
}

/** Returns whether a list, which its owner may change, still contains the same tools with the same names. */
function isAsArranged({ tools: former, names }: Arrangement, tools: readonly CallableTool[]): boolean {
  return tools.length === former.length && tools.every((tool, at) => tool === former[at] && tool.name === names[at]);
}

function fixedPart(envelopes: readonly Envelope[]): Pick<EnvelopeIndex, 'bare' | 'fixed'> {
  const known = fixedParts.get(envelopes);
  if (known !== undefined) return known;
  const fixed = arrange(envelopes, (openers) => (typeof openers === 'function' ? [] : openers));
  const part = { bare: envelopes.filter(({ tier }) => tier === 3), fixed };
  if (Object.isFrozen(envelopes)) fixedParts.set(envelopes, part);
  return part;
}

/** Arranges envelopes by the openers that a function returns. */
function arrange(
  envelopes: readonly Envelope[],
  listOf: (openers: Envelope['openers']) => readonly string[],
): OpenerTrie {
  const trie: OpenerTrie = { values: [], next: new Map() };
  for (const [rank, envelope] of envelopes.entries()) {
    for (const opener of listOf(envelope.openers)) {
      let node = trie;
      for (let at = 0; at < opener.length; at += 1) {
        const code = opener.charCodeAt(at);
        const next = node.next.get(code) ?? { values: [], next: new Map() };
        node.next.set(code, next);
        node = next;
      }
      node.values.push({ envelope, opener, rank });
    }
  }
  return trie;
}

/** Returns whether an opener may begin at an offset, judging by two characters. */
export function mayOpenAt({ fixed, ofTools }: EnvelopeIndex, text: string, at: number, ended: boolean): boolean {
  return mayBegin(fixed, text, at, ended) || mayBegin(ofTools, text, at, ended);
}

function mayBegin(trie: OpenerTrie, text: string, at: number, ended: boolean): boolean {
  const node = trie.next.get(text.charCodeAt(at));
  if (node === undefined) return false;
  if (node.values.length > 0) return true;
  return at + 1 < text.length ? node.next.has(text.charCodeAt(at + 1)) : !ended;
}

/**
 * Returns the envelopes with an opener at an offset, in the order in which they are tried. `isOpen`: whether the text ends
 * inside a possible opener.
 */
export function openersAt(
  { fixed, ofTools }: EnvelopeIndex,
  text: string,
  at: number,
): { readonly opened: readonly OpenedEnvelope[]; readonly isOpen: boolean } {
  const opened: OpenedEnvelope[] = [];
  let isOpen = false;
  for (const trie of [fixed, ofTools]) {
    let node: OpenerTrie | undefined = trie;
    for (let index = at; index < text.length && node !== undefined; index += 1) {
      node = node.next.get(text.charCodeAt(index));
      if (node !== undefined) opened.push(...node.values);
    }
    isOpen ||= node !== undefined && node.next.size > 0;
  }
  opened.sort((one, other) => one.rank - other.rank || other.opener.length - one.opener.length);
  return { opened, isOpen };
}
