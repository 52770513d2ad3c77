import type { JsonValue } from '@haft/repair';

import type { Flavor } from '../material/material.ts';
import type { Random } from '../random.ts';
import type { Shape } from './shapes.ts';
import type { Token, TokenKind } from './tokens.ts';
import { textOf } from './tokens.ts';

/** A document on its way to being damaged. */
export interface Draft {
  readonly shape: Shape;
  readonly tokens: readonly Token[];
  /** What stands around or instead of the tokens, once a damage has gone beyond them. */
  readonly text?: string;
  /** What a reader ought to find. */
  readonly truth: JsonValue;
  /** What a reader may find as well, where the text allows for more than one reading. */
  readonly alternatives: readonly JsonValue[];
  readonly flavorOf: (text: string) => Flavor | undefined;
}

/** The document as it stands. */
export function writtenText(draft: Draft): string {
  return draft.text ?? textOf(draft.tokens);
}

/** Whether nothing has happened to a token yet. */
export function isWhole(token: Token): boolean {
  return token.text === token.original && token.original !== '';
}

/** Where tokens of a kind are that nothing has happened to. */
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

/** The draft with other tokens at some places; nothing when there is no such place. */
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

/** The draft with something put in before a place that valid JSON does not have there. */
export function putIn(draft: Draft, before: number, text: string): Draft {
  const neighbour = draft.tokens[before] ?? draft.tokens.at(-1);
  const noise: Token = {
    kind: 'noise',
    text,
    original: '',
    depth: neighbour?.depth ?? 0,
    container: neighbour?.container ?? 0,
  };
  return { ...draft, tokens: [...draft.tokens.slice(0, before), noise, ...draft.tokens.slice(before)] };
}

/** One place, or sometimes all of them: a model slips once, or has a habit. */
export function someOf(places: readonly number[], random: Random): readonly number[] {
  if (places.length === 0) return [];
  return random.chance(0.5) ? [random.pick(places)] : places;
}

/** The next token that is no white space, from a place on. */
export function nextMeaningful(tokens: readonly Token[], from: number): number {
  let index = from;
  while (index < tokens.length && tokens[index]?.kind === 'space') index += 1;
  return index;
}

/** The last token before a place that is no white space. */
export function previousMeaningful(tokens: readonly Token[], before: number): number {
  let index = before - 1;
  while (index >= 0 && tokens[index]?.kind === 'space') index -= 1;
  return index;
}
