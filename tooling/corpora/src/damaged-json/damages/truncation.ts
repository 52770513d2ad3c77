import type { Damage } from './damage.ts';
import type { Draft } from '../../json-documents/draft.ts';
import { placesOf } from '../../json-documents/draft.ts';
import { readPrefix } from '../../json-documents/prefix-value.ts';
import type { Random } from '../../random.ts';
import type { TokenKind } from '../../json-documents/tokens.ts';
import { textOf } from '../../json-documents/tokens.ts';

/**
 * Cuts a document the given number of units into one of its tokens. The expected value is read from the undamaged text.
 */
function cutAt(draft: Draft, place: number, units: number): Draft | undefined {
  const token = draft.tokens[place];
  if (token === undefined) return undefined;
  const before = draft.tokens.slice(0, place);
  const undamaged = before.map(({ original }) => original).join('') + token.original.slice(0, units);
  const prefix = readPrefix(undamaged);
  if (!prefix.found) return undefined;
  return { ...draft, tokens: before, text: textOf(before) + token.text.slice(0, units), truth: prefix.value };
}

function cut(name: string, kind: TokenKind, where: (text: string, random: Random) => number | undefined): Damage {
  return {
    name,
    group: 'truncation',
    touches: ['after', 'closers'],
    apply(draft, random) {
      // The token that is cut was not touched by any earlier damage.
      const places = placesOf(draft, kind, ({ text }) => where(text, random) !== undefined).slice(
        kind === 'key' ? 1 : 0,
      );
      if (places.length === 0) return undefined;
      const place = random.pick(places);
      const units = where(draft.tokens[place]?.text ?? '', random);
      return units === undefined ? undefined : cutAt(draft, place, units);
    },
  };
}

/** Cuts inside an escape that a pattern finds, at an offset from its backslash. */
function insideEscape(
  text: string,
  escapes: RegExp,
  offset: (random: Random) => number,
  random: Random,
): number | undefined {
  const starts = [...text.matchAll(escapes)].filter((match) => !isEscaped(text, match.index));
  return starts.length === 0 ? undefined : random.pick(starts).index + offset(random);
}

function isEscaped(text: string, index: number): boolean {
  return (/\\*$/.exec(text.slice(0, index))?.[0].length ?? 0) % 2 === 1;
}

export const truncationDamages: readonly Damage[] = [
  cut('cut after a colon', 'colon', () => 1),
  cut('cut after a comma', 'comma', () => 1),
  cut('cut after a key', 'key', (text) => text.length),
  cut('cut in an escape', 'string', (text, random) => insideEscape(text, /\\[^u]/g, () => 1, random)),
  cut('cut in a key', 'key', (text, random) => random.whole(1, text.length - 1)),
  cut('cut in a word', 'word', (text, random) => random.whole(1, text.length - 1)),
  cut('cut in a number', 'number', (text, random) => (text.length < 2 ? undefined : random.whole(1, text.length - 1))),
  cut('cut in a string', 'string', (text, random) => {
    if (text.length < 4) return undefined;
    const units = random.whole(1, text.length - 1);
    // Cuts inside an escape are a separate class.
    return /\\(?:u[\da-fA-F]{0,3})?$/.test(text.slice(0, units)) ? undefined : units;
  }),
  cut('cut in a Unicode escape', 'string', (text, random) =>
    insideEscape(text, /\\u[\da-fA-F]{4}/g, (r) => r.whole(2, 5), random),
  ),
];
