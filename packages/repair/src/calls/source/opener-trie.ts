import type { Envelope } from '../contract/envelope.ts';

/** Openers arranged by their characters, so that finding those at one place costs no more than the longest that matches. */
export interface OpenerTrie<Value> {
  /** What the opener that ends here stands for, in the order of addition. */
  readonly values: Value[];
  readonly next: Map<number, OpenerTrie<Value>>;
}

/** Makes a trie that holds nothing. */
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

/** Adds everything whose opener stands at an offset; answers whether the text ends where one could still go on. */
export function findOpeners<Value>(trie: OpenerTrie<Value>, text: string, at: number, found: Value[]): boolean {
  let node: OpenerTrie<Value> | undefined = trie;
  for (let index = at; index < text.length; index += 1) {
    node = node.next.get(text.charCodeAt(index));
    if (node === undefined) return false;
    if (node.values.length > 0) found.push(...node.values);
  }
  return node.next.size > 0;
}

/** An envelope that may begin at some place, and the opener that says so. */
export interface OpenedEnvelope {
  readonly envelope: Envelope;
  readonly opener: string;
  /** Its place in the order in which envelopes are tried. */
  readonly rank: number;
}
