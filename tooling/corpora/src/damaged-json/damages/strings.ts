import type { Aspect, Damage } from './damage.ts';
import type { Draft } from '../../json-documents/draft.ts';
import { placesOf, rewrite, someOf } from '../../json-documents/draft.ts';
import type { Flavor } from '../../material/material.ts';
import { unitsOf } from '../../json-documents/tokens.ts';

/** Rewrites the content of strings one by one. Returns undefined if no string would change. */
function rewriteStrings(
  draft: Draft,
  choose: (places: readonly number[]) => readonly number[],
  change: (units: readonly string[], text: string) => string,
): Draft | undefined {
  const changed = new Map<number, string>();
  for (const place of placesOf(draft, 'string')) {
    const token = draft.tokens[place];
    if (token === undefined) continue;
    const text = `"${change(unitsOf(token.text), String(token.value))}"`;
    if (text !== token.text) changed.set(place, text);
  }
  return rewrite(draft, choose([...changed.keys()]), (token, index) => changed.get(index) ?? token.text);
}

function inStrings(
  name: string,
  change: (units: readonly string[], text: string, draft: Draft) => string,
  touches: readonly Aspect[] = ['strings'],
): Damage {
  return {
    name,
    group: 'string',
    touches,
    apply: (draft, random) =>
      rewriteStrings(
        draft,
        (places) => someOf(places, random),
        (units, text) => change(units, text, draft),
      ),
  };
}

const swap =
  (found: string | RegExp, put: string | ((unit: string) => string)) =>
  (units: readonly string[]): string =>
    units
      .map((unit) => {
        const hits = typeof found === 'string' ? unit === found : found.test(unit);
        if (!hits) return unit;
        return typeof put === 'string' ? put : put(unit);
      })
      .join('');

const decodeUnit = (unit: string): string => JSON.parse(`"${unit}"`) as string;

/** Leaves quotes unescaped, only in some kinds of text. */
function unescapedQuotes(name: string, flavors: readonly Flavor[], also: readonly string[] = []): Damage {
  return inStrings(
    name,
    (units, text, draft) => {
      const flavor = draft.flavorOf(text);
      if (flavor === undefined || !flavors.includes(flavor) || !units.includes('\\"')) return units.join('');
      if (also.length > 0 && !units.some((unit) => also.includes(unit))) return units.join('');
      return units.map((unit) => (unit === '\\"' ? '"' : also.includes(unit) ? decodeUnit(unit) : unit)).join('');
    },
    ['strings', 'delimiters'],
  );
}

/** Unescapes every string that contains escaped quotes; at least two strings. */
function unescapedEverywhere(name: string, escapes: readonly string[]): Damage {
  return {
    name,
    group: 'string',
    touches: ['strings', 'delimiters'],
    apply(draft) {
      const quoted = placesOf(draft, 'string', ({ text }) => text.includes('\\"'));
      if (quoted.length < 2) return undefined;
      const bare = (units: readonly string[]): string =>
        units.map((unit) => (escapes.includes(unit) ? decodeUnit(unit) : unit)).join('');
      return rewriteStrings(draft, (places) => places, bare);
    },
  };
}

/** Inserts a backslash before a character that JSON cannot escape. */
const afterBackslash = /^[^"\\/bfnrtu]/;

/** Writes doubled backslashes as single ones, where the result is (or is not) an escape of JSON. */
export function singleBackslashes(units: readonly string[], suits: (next: string) => boolean): string | undefined {
  const pairs = units.flatMap((unit, index) => (unit === '\\\\' ? [index] : []));
  if (pairs.length === 0 || !pairs.every((index) => suits(units[index + 1] ?? ''))) return undefined;
  return units.map((unit) => (unit === '\\\\' ? '\\' : unit)).join('');
}

export const stringDamages: readonly Damage[] = [
  inStrings('raw newlines', swap('\\n', '\n')),
  inStrings('raw tabs', swap('\\t', '\t')),
  inStrings('raw control characters', swap(/^\\(?:[bf]|u00[01])/, decodeUnit)),
  inStrings('escaped apostrophes', swap("'", "\\'")),
  inStrings('backslashes of patterns not doubled', (units, text, draft) => {
    if (draft.flavorOf(text) !== 'pattern') return units.join('');
    return singleBackslashes(units, (next) => afterBackslash.test(next)) ?? units.join('');
  }),
  inStrings(
    'hexadecimal escapes',
    swap(/^\\u00/, (unit) => `\\x${unit.slice(4)}`),
  ),
  inStrings('backslashes of Windows paths not doubled', (units, text, draft) => {
    if (draft.flavorOf(text) !== 'windows path') return units.join('');
    return singleBackslashes(units, (next) => afterBackslash.test(next)) ?? units.join('');
  }),
  {
    name: 'strings joined with plus',
    group: 'string',
    touches: ['strings', 'delimiters'],
    apply(draft, random) {
      const long = placesOf(draft, 'string', (token) => unitsOf(token.text).length >= 12);
      return rewrite(draft, long.length === 0 ? [] : [random.pick(long)], (token) => {
        const units = unitsOf(token.text);
        const middle = random.whole(4, units.length - 4);
        const between = random.pick([' + ', '+', ' +\n  ']);
        return `"${units.slice(0, middle).join('')}"${between}"${units.slice(middle).join('')}"`;
      });
    },
  },
  unescapedQuotes('unescaped quotes in code', ['code']),
  unescapedQuotes('unescaped quotes in HTML', ['html']),
  unescapedQuotes('unescaped quotes in JSON', ['json']),
  unescapedQuotes('unescaped quotes in prose', ['quoted prose', 'markdown']),
  unescapedQuotes('unescaped quotes in commands', ['shell']),
  unescapedEverywhere('unescaped quotes in every string', ['\\"']),
  unescapedEverywhere('unescaped quotes and raw white space in every string', ['\\"', '\\n', '\\t']),
  unescapedQuotes('unescaped quotes and raw newlines in code', ['code'], ['\\n', '\\t']),
];
