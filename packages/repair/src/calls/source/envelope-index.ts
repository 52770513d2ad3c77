import type { CallableTool, Envelope } from '../contract/envelope.ts';
import type { GrowingText, Reading } from './growing-text.ts';
import { arrange, findOpeners, mayBegin, type OpenedEnvelope, type OpenerTrie } from './opener-trie.ts';

/** Envelopes, arranged for fast search. */
export interface EnvelopeIndex {
  readonly bare: readonly Envelope[];
  /** Openers that do not depend on the tools. */
  readonly fixed: OpenerTrie;
  /** Openers that depend on the tools. */
  readonly ofTools: OpenerTrie;
}

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

/** Returns whether an opener may begin at an offset, judging by two characters. */
export function mayOpenAt({ fixed, ofTools }: EnvelopeIndex, text: string, at: number, ended: boolean): boolean {
  return mayBegin(fixed, text, at, ended) || mayBegin(ofTools, text, at, ended);
}

/** Returns the envelopes with an opener at an offset, in the order in which they are tried. */
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
