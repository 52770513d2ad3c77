import type { Aspect, Damage } from './damage.ts';
import type { Draft } from '../../json-documents/draft.ts';
import { placesOf, rewrite, someOf } from '../../json-documents/draft.ts';
import type { Random } from '../../random.ts';
import type { Token } from '../../json-documents/tokens.ts';
import { unitsOf } from '../../json-documents/tokens.ts';

const inside = (token: Token): string => token.text.slice(1, -1);
const hasQuote = (token: Token): boolean => token.text.includes('\\"');
const anyText = ['key', 'string'] as const;
const everything: readonly Aspect[] = ['strings', 'delimiters', 'keys'];

function oneOf(places: readonly number[], random: Random): readonly number[] {
  return places.length === 0 ? [] : [random.pick(places)];
}

function quoting(
  name: string,
  touches: readonly Aspect[],
  apply: (draft: Draft, random: Random) => Draft | undefined,
): Damage {
  return { name, group: 'quotes', touches, apply };
}

/** Returns the content of a string for other quotes: escapes these quotes, but not double quotes. */
export function requote(token: Token, quote: string): string {
  return unitsOf(token.text)
    .map((unit) => (unit === '\\"' ? '"' : unit === quote ? `\\${quote}` : unit))
    .join('');
}

/**
 * Returns whether a text is short, on one line and without quotes, so that it is recognizable without one of its
 * quotes.
 */
const isShort = (token: Token): boolean =>
  !hasQuote(token) && !token.text.includes('\\n') && token.text.length > 2 && token.text.length <= 80;

const isIdentifier = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text);
const wordsOfLanguages = new Set(['true', 'false', 'null', 'none', 'undefined', 'nan', 'infinity']);

function unquoted(name: string, suits: (text: string) => boolean): Damage {
  return quoting(name, ['delimiters'], (draft, random) =>
    rewrite(
      draft,
      oneOf(
        placesOf(
          draft,
          'string',
          ({ value }) => suits(String(value)) && !wordsOfLanguages.has(String(value).toLowerCase()),
        ),
        random,
      ),
      inside,
    ),
  );
}

export const quotesDamages: readonly Damage[] = [
  quoting('backticks', ['delimiters'], (draft, random) =>
    rewrite(
      draft,
      oneOf(
        placesOf(draft, 'string', ({ text }) => !/[`$]/.test(text)),
        random,
      ),
      (token) => {
        const raw = random.chance(0.7);
        const bare = unitsOf(token.text).map((unit) => (unit === '\\"' ? '"' : raw && unit === '\\n' ? '\n' : unit));
        return `\`${bare.join('')}\``;
      },
    ),
  ),
  quoting('doubled quotes', everything, (draft, random) => {
    const places = placesOf(draft, anyText, (token) => token.value !== '' && !hasQuote(token));
    return rewrite(draft, someOf(places, random), (token) => `"${token.text}"`);
  }),
  quoting('escaped delimiters', ['delimiters', 'keys'], (draft, random) => {
    const places = placesOf(draft, anyText, (token) => !hasQuote(token));
    return rewrite(draft, oneOf(places, random), (token) => `\\"${inside(token)}\\"`);
  }),
  quoting('full-width punctuation', ['commas', 'colons', 'openers', 'closers'], (draft, random) => {
    const wide: Readonly<Record<string, string>> = { ',': '，', ':': '：' };
    const brackets: Readonly<Record<string, string>> = { '{': '｛', '}': '｝', '[': '［', ']': '］' };
    const all = random.chance(0.4) ? { ...wide, ...brackets } : wide;
    return rewrite(
      draft,
      placesOf(draft, ['comma', 'colon', 'open', 'close'], ({ text }) => text in all),
      ({ text }) => all[text] ?? text,
    );
  }),
  quoting('quotes as HTML entities', everything, (draft) => {
    if (draft.tokens.some(({ kind, text }) => kind === 'string' && /\\"|&/.test(text))) return undefined;
    return rewrite(draft, placesOf(draft, anyText), (token) => `&quot;${inside(token)}&quot;`);
  }),
  quoting('missing closing quote', ['delimiters'], (draft, random) =>
    rewrite(draft, oneOf(placesOf(draft, 'string', isShort), random), ({ text }) => text.slice(0, -1)),
  ),
  quoting('missing closing quote of a key', ['keys'], (draft, random) =>
    rewrite(draft, oneOf(placesOf(draft, 'key', isShort), random), ({ text }) => text.slice(0, -1)),
  ),
  quoting('missing opening quote of a key', ['keys'], (draft, random) =>
    rewrite(draft, oneOf(placesOf(draft, 'key', isShort), random), ({ text }) => text.slice(1)),
  ),
  quoting('missing opening quote', ['delimiters'], (draft, random) =>
    rewrite(draft, oneOf(placesOf(draft, 'string', isShort), random), ({ text }) => text.slice(1)),
  ),
  quoting('single quotes', everything, (draft) =>
    rewrite(draft, placesOf(draft, anyText), (token) => `'${requote(token, "'")}'`),
  ),
  quoting('single quotes around bare apostrophes', everything, (draft) => {
    const apostrophes = placesOf(draft, 'string', ({ text }) => /\w'\w/.test(text));
    if (apostrophes.length === 0) return undefined;
    // An apostrophe that is not between letters could be a quote, so it stays escaped.
    return rewrite(draft, placesOf(draft, anyText), (token) => {
      const bare = requote(token, "'").replaceAll(/(?<=[A-Za-z])\\'(?=[A-Za-z])/g, "'");
      return `'${bare}'`;
    });
  }),
  quoting('typographic quotes', everything, (draft) => {
    if (draft.tokens.some((token) => token.kind === 'string' && (hasQuote(token) || /[“”]/.test(token.text))))
      return undefined;
    return rewrite(draft, placesOf(draft, anyText), (token) => `“${inside(token)}”`);
  }),
  quoting('typographic quotes around bare ones', everything, (draft) => {
    const texts = draft.tokens.filter(({ kind }) => kind === 'string');
    if (!texts.some(hasQuote) || texts.some(({ text }) => /[“”]/.test(text))) return undefined;
    return rewrite(draft, placesOf(draft, anyText), (token) => `“${requote(token, '"')}”`);
  }),
  quoting('triple quotes', ['strings', 'delimiters'], (draft, random) => {
    const places = placesOf(draft, 'string', ({ value }) => {
      const text = String(value);
      return /["\n]/.test(text) && !/["']$|"""|'''/.test(text);
    });
    const fence = random.chance(0.8) ? '"""' : "'''";
    return rewrite(draft, oneOf(places, random), (token) => {
      const bare = unitsOf(token.text).map((unit) => (unit === '\\"' ? '"' : unit === '\\n' ? '\n' : unit));
      return `${fence}${bare.join('')}${fence}`;
    });
  }),
  quoting('unquoted keys', ['keys'], (draft) =>
    rewrite(
      draft,
      placesOf(draft, 'key', ({ value }) => isIdentifier(String(value))),
      inside,
    ),
  ),
  unquoted('unquoted phrase', (text) => /^[A-Za-z]+(?: [A-Za-z]+)+$/.test(text)),
  unquoted('unquoted address', (text) => /^https?:\/\/[^\s,"\\]+$/.test(text) || /^\.?[\w/]+\.\w+$/.test(text)),
  unquoted('unquoted word', isIdentifier),
];
