import type { Envelope } from '../contract/envelope.ts';

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

/** Arranges envelopes by the openers that a function returns. */
export function arrange(
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
export function mayBegin(trie: OpenerTrie, text: string, at: number, ended: boolean): boolean {
  const node = trie.next.get(text.charCodeAt(at));
  if (node === undefined) return false;
  if (node.values.length > 0) return true;
  return at + 1 < text.length ? node.next.has(text.charCodeAt(at + 1)) : !ended;
}

/** Adds the envelopes of all openers at an offset. Returns whether the text ends inside a possible opener. */
export function findOpeners(trie: OpenerTrie, text: string, at: number, found: OpenedEnvelope[]): boolean {
  let node: OpenerTrie | undefined = trie;
  for (let index = at; index < text.length; index += 1) {
    node = node.next.get(text.charCodeAt(index));
    if (node === undefined) return false;
    found.push(...node.values);
  }
  return node.next.size > 0;
}
