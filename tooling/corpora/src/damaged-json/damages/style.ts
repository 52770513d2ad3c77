import type { Aspect, Damage } from './damage.ts';
import { nextMeaningful, placesOf, putIn, rewrite } from '../../json-documents/draft.ts';
import type { Draft } from '../../json-documents/draft.ts';
import { unitsOf } from '../../json-documents/tokens.ts';
import { requote } from './quotes.ts';

const texts: readonly Aspect[] = ['strings', 'delimiters', 'keys'];
const pythonWords: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

export const styleDamages: readonly Damage[] = [
  {
    name: 'JavaScript object',
    group: 'style',
    touches: [...texts, 'commas', 'closers'],
    apply(draft, random) {
      const quoted = rewrite(draft, placesOf(draft, ['string', 'key']), (token) =>
        token.kind === 'key' && /^[A-Za-z_]\w*$/.test(String(token.value))
          ? token.text.slice(1, -1)
          : `'${requote(token, "'")}'`,
      );
      if (quoted === undefined) return undefined;
      return random.chance(0.5) ? withTrailingCommas(quoted) : quoted;
    },
  },
  {
    name: 'Python repr',
    group: 'style',
    touches: [...texts, 'words'],
    apply: (draft) =>
      rewrite(draft, placesOf(draft, ['string', 'key', 'word']), (token) => {
        if (token.kind === 'word') return pythonWords[token.text] ?? token.text;
        return writePythonString(String(token.value));
      }),
  },
];

function withTrailingCommas(draft: Draft): Draft {
  const places = placesOf(draft, 'close', (_, index) => draft.tokens[index - 1]?.kind !== 'open');
  // Inserts a trailing comma before the white space in front of the closer, where people put it.
  return places.toReversed().reduce((current, place) => {
    const comma = current.tokens[place - 1]?.kind === 'space' ? place - 1 : place;
    return nextMeaningful(current.tokens, comma) === place ? putIn(current, comma, ',') : current;
  }, draft);
}

/** As `repr` writes it: single quotes unless they would need an escape, and non-ASCII characters unchanged. */
export function writePythonString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const units = unitsOf(JSON.stringify(text)).map((unit) => {
    if (unit === '\\"') return quote === '"' ? '\\"' : '"';
    if (unit === "'") return quote === "'" ? "\\'" : "'";
    if (unit === '\\b' || unit === '\\f') return unit === '\\b' ? '\\x08' : '\\x0c';
    return unit.startsWith('\\u00') ? `\\x${unit.slice(4)}` : unit;
  });
  return `${quote}${units.join('')}${quote}`;
}
