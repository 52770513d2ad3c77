import type { Envelope } from '../contract/envelope.ts';

/** A trie of openers, so that finding those at one offset takes time in proportion to the longest match. */
export interface OpenerTrie<Value> {
  /** The values of the opener that ends here, in the order of addition. */
  readonly values: Value[];
  readonly next: Map<number, OpenerTrie<Value>>;
}

/** Creates an empty trie. */
export function createOpenerTrie<Value>(): OpenerTrie<Value> {
  return { values: [], next: new Map() };
}

/** Adds one opener. */
export function addOpener<Value>(trie: OpenerTrie<Value>, opener: string, value: Value): void {
  let node = trie;
  for (let index = 0; index < opener.length; index += 1) {
    const code = opener.charCodeAt(index);
    const next = node.next.get(code) ?? createOpenerTrie<Value>();
    node.next.set(code, next);
    node = next;
  }
  node.values.push(value);
}

/** Adds the values of all openers at an offset. Returns whether the text ends inside a possible opener. */
export function findOpeners<Value>(trie: OpenerTrie<Value>, text: string, at: number, found: Value[]): boolean {
  let node: OpenerTrie<Value> | undefined = trie;
  for (let index = at; index < text.length; index += 1) {
    node = node.next.get(text.charCodeAt(index));
    if (node === undefined) return false;
    if (node.values.length > 0) found.push(...node.values);
  }
  return node.next.size > 0;
}

/** An envelope that may begin at an offset, and its opener. */
export interface OpenedEnvelope {
  readonly envelope: Envelope;
  readonly opener: string;
  /** Its position in the order in which envelopes are tried. */
  readonly rank: number;
}
