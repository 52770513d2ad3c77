import type { Damage } from './damage.ts';
import { placesOf, rewrite, someOf } from '../../json-documents/draft.ts';
import type { Token } from '../../json-documents/tokens.ts';

function inWords(name: string, spell: (word: string) => string): Damage {
  return {
    name,
    group: 'literal',
    touches: ['words'],
    apply: (draft) =>
      rewrite(
        draft,
        placesOf(draft, 'word', ({ text }) => spell(text) !== text),
        ({ text }) => spell(text),
      ),
  };
}

function inNumbers(
  name: string,
  suits: (value: number, token: Token) => boolean,
  spell: (text: string) => string,
): Damage {
  return {
    name,
    group: 'literal',
    touches: ['numbers'],
    apply: (draft, random) =>
      rewrite(
        draft,
        someOf(
          placesOf(draft, 'number', (token) => suits(Number(token.value), token)),
          random,
        ),
        ({ text }) => spell(text),
      ),
  };
}

const grouped = (text: string, separator: string): string => text.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, separator);

export const literalDamages: readonly Damage[] = [
  inWords('undefined', (word) => (word === 'null' ? 'undefined' : word)),
  inWords('Python words', (word) => ({ true: 'True', false: 'False', null: 'None' })[word] ?? word),
  inWords('upper-case words', (word) => word.toUpperCase()),
  inNumbers(
    'hexadecimal numbers',
    (value) => Number.isSafeInteger(value) && value > 9,
    (text) => `0x${Number(text).toString(16).toUpperCase()}`,
  ),
  inNumbers(
    'leading dot',
    (_, { text }) => /^-?0\.\d+$/.test(text),
    (text) => text.replace('0.', '.'),
  ),
  inNumbers(
    'leading plus',
    (value) => value > 0,
    (text) => `+${text}`,
  ),
  {
    name: 'thousands set apart with commas',
    group: 'literal',
    touches: ['numbers'],
    apply(draft, random) {
      // In a list, the comma would separate two numbers, so only members of objects are used.
      const places = placesOf(
        draft,
        'number',
        (token, index) =>
          Number.isSafeInteger(token.value) &&
          Number(token.value) >= 1_000 &&
          draft.tokens.slice(0, index).findLast(({ kind }) => kind !== 'space')?.kind === 'colon',
      );
      return rewrite(draft, someOf(places, random), ({ text }) => grouped(text, ','));
    },
  },
  inNumbers(
    'trailing dot',
    (value) => Number.isSafeInteger(value),
    (text) => `${text}.`,
  ),
  inNumbers(
    'underscores in numbers',
    (value) => Number.isSafeInteger(value) && Math.abs(value) >= 1_000,
    (text) => grouped(text, '_'),
  ),
];
