import type { JsonValue } from '@haft/repair';

import type { Flavor } from '../material/material.ts';
import type { Random } from '../random.ts';
import type { Shape } from './shapes.ts';
import type { Token, TokenKind } from './tokens.ts';
import { textOf } from './tokens.ts';

/** A document while damages are applied to it. */
export interface Draft {
  readonly shape: Shape;
  readonly tokens: readonly Token[];
  /** Text around or in place of the tokens, after a damage that affects more than tokens. */
  readonly text?: string;
  /** The value that a reader should find. */
  readonly truth: JsonValue;
  /** Values that a reader may find as well, if the text is ambiguous. */
  readonly alternatives: readonly JsonValue[];
  readonly flavorOf: (text: string) => Flavor | undefined;
}

/** The current text of the document. */
export function writtenText(draft: Draft): string {
  return draft.text ?? textOf(draft.tokens);
}

/** Returns whether a token is untouched. */
export function isWhole(token: Token): boolean {
  return token.text === token.original && token.original !== '';
}

/** Returns the positions of untouched tokens of a kind. */
export function placesOf(
  draft: Draft,
  kinds: TokenKind | readonly TokenKind[],
  suits: (token: Token, index: number) => boolean = () => true,
): readonly number[] {
  const wanted = typeof kinds === 'string' ? [kinds] : kinds;
  return draft.tokens.flatMap((token, index) =>
    wanted.includes(token.kind) && isWhole(token) && suits(token, index) ? [index] : [],
  );
}

/** Returns the draft with some tokens replaced. Returns undefined if the list of positions is empty. */
export function rewrite(
  draft: Draft,
  places: readonly number[],
  change: (token: Token, index: number) => string,
): Draft | undefined {
  if (places.length === 0) return undefined;
  const wanted = new Set(places);
  return {
    ...draft,
    tokens: draft.tokens.map((token, index) => (wanted.has(index) ? { ...token, text: change(token, index) } : token)),
  };
}

/** Returns the draft with a token inserted where valid JSON has none. */
export function putIn(draft: Draft, before: number, text: string): Draft {
  const neighbour = draft.tokens[before] ?? draft.tokens.at(-1);
  const inserted: Token = {
    kind: 'inserted',
    text,
    original: '',
    depth: neighbour?.depth ?? 0,
    container: neighbour?.container ?? 0,
  };
  return { ...draft, tokens: [...draft.tokens.slice(0, before), inserted, ...draft.tokens.slice(before)] };
}

/** Returns one position or, sometimes, all positions: a model makes a mistake once, or has a habit. */
export function someOf(places: readonly number[], random: Random): readonly number[] {
  if (places.length === 0) return [];
  return random.chance(0.5) ? [random.pick(places)] : places;
}

/** Returns the next token from a position that is not white space. */
export function nextMeaningful(tokens: readonly Token[], from: number): number {
  let index = from;
  while (index < tokens.length && tokens[index]?.kind === 'space') index += 1;
  return index;
}

/** Returns the last token before a position that is not white space. */
export function previousMeaningful(tokens: readonly Token[], before: number): number {
  let index = before - 1;
  while (index >= 0 && tokens[index]?.kind === 'space') index -= 1;
  return index;
}
