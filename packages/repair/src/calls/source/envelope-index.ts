import type { CallableTool, Envelope } from '../contract/envelope.ts';
import type { GrowingText, Reading } from './growing-text.ts';
import { addOpener, createOpenerTrie, findOpeners, type OpenedEnvelope, type OpenerTrie } from './opener-trie.ts';

/** The envelopes to look for, arranged for finding them. */
export interface EnvelopeIndex {
  readonly untagged: readonly Envelope[];
  /** Openers that are always the same. */
  readonly fixed: OpenerTrie<OpenedEnvelope>;
  /** Openers that the tools decide. */
  readonly ofTools: OpenerTrie<OpenedEnvelope>;
}

interface Arranged extends EnvelopeIndex {
  /** The openers that the tools decided, in the order of the envelopes. */
  readonly toolOpeners: readonly OpenedEnvelope[];
}

// The list that everybody uses is arranged once and not again for every text; one that can change is not remembered.
const arranged = new WeakMap<readonly Envelope[], Arranged>();

/** What a list of tools was when envelopes were arranged for it. */
interface Arrangement {
  readonly envelopes: readonly Envelope[];
  readonly tools: readonly CallableTool[];
  readonly names: readonly string[];
  readonly index: EnvelopeIndex;
}

// The texts of a conversation are read with one list of tools, and writing down the openers of many takes longer than a text.
const ofLists = new WeakMap<readonly CallableTool[], Arrangement>();

/** Arranges envelopes for the tools at hand. */
export function indexEnvelopes(envelopes: readonly Envelope[], tools: readonly CallableTool[]): EnvelopeIndex {
  const former = ofLists.get(tools);
  if (former !== undefined && former.envelopes === envelopes && isAsArranged(former, tools)) return former.index;
  const index = arrangeFor(envelopes, tools);
  if (Object.isFrozen(envelopes))
    ofLists.set(tools, { envelopes, tools: [...tools], names: tools.map(({ name }) => name), index });
  return index;
}

/** Whether a list, which its owner may change, holds the tools that it held, under the names that they had. */
function isAsArranged({ tools: former, names }: Arrangement, tools: readonly CallableTool[]): boolean {
  return tools.length === former.length && tools.every((tool, at) => tool === former[at] && tool.name === names[at]);
}

function arrangeFor(envelopes: readonly Envelope[], tools: readonly CallableTool[]): EnvelopeIndex {
  const known = arranged.get(envelopes);
  const toolOpeners = openersOf(envelopes, (openers) => (typeof openers === 'function' ? openers(tools) : []));
  if (known !== undefined && areSame(known.toolOpeners, toolOpeners)) return known;
  const fixed = known?.fixed ?? arrange(openersOf(envelopes, (list) => (typeof list === 'function' ? [] : list)));
  const untagged = envelopes.filter((envelope) => envelope.tier === 3);
  const index = { untagged, fixed, ofTools: arrange(toolOpeners), toolOpeners };
  if (Object.isFrozen(envelopes)) arranged.set(envelopes, index);
  return index;
}

function openersOf(
  envelopes: readonly Envelope[],
  list: (openers: Envelope['openers']) => readonly string[],
): readonly OpenedEnvelope[] {
  return envelopes.flatMap((envelope, rank) =>
    list(envelope.openers).flatMap((opener) => (opener === '' ? [] : { envelope, opener, rank })),
  );
}

function areSame(some: readonly OpenedEnvelope[], others: readonly OpenedEnvelope[]): boolean {
  if (some.length !== others.length) return false;
  return some.every(({ opener, rank }, at) => opener === others[at]?.opener && rank === others[at].rank);
}

function arrange(openers: readonly OpenedEnvelope[]): OpenerTrie<OpenedEnvelope> {
  const trie = createOpenerTrie<OpenedEnvelope>();
  for (const opened of openers) addOpener(trie, opened.opener, opened);
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
