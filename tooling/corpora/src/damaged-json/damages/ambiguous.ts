import type { JsonObject, JsonValue } from '@haft/repair';

import type { Damage } from './damage.ts';
import type { Draft } from '../../json-documents/draft.ts';
import { placesOf, rewrite, someOf, writtenText } from '../../json-documents/draft.ts';
import { createMaterial } from '../../material/material.ts';
import type { Random } from '../../random.ts';
import { unitsOf, writeTokens, textOf } from '../../json-documents/tokens.ts';
import { singleBackslashes } from './strings.ts';
import { closersBeforeKeys } from './structure.ts';

function ambiguous(name: string, apply: (draft: Draft, random: Random) => Draft | undefined, parses?: true): Damage {
  return { name, group: 'ambiguous', touches: ['whole'], ...(parses === undefined ? {} : { parses }), apply };
}

/** Returns the value with one member of the outermost object replaced or removed. */
function withMember(truth: JsonValue, key: string, value: JsonValue | undefined): JsonValue {
  const entries = Object.entries(truth as JsonObject);
  return Object.fromEntries(
    value === undefined
      ? entries.filter(([name]) => name !== key)
      : entries.map(([name, old]) => [name, name === key ? value : old]),
  );
}

/** Replaces the number or word of a member of the outermost object. */
function inMember(
  draft: Draft,
  random: Random,
  kind: 'number' | 'word' | 'string',
  text: (written: string) => string | undefined,
  readings: (written: string) => readonly (JsonValue | undefined)[],
): Draft | undefined {
  const places = placesOf(
    draft,
    kind,
    (token, index) => token.depth === 1 && text(token.text) !== undefined && draft.tokens[index - 1]?.kind !== 'comma',
  );
  if (places.length === 0) return undefined;
  const place = random.pick(places);
  const key = draft.tokens.slice(0, place).findLast((token) => token.kind === 'key')?.value;
  const written = draft.tokens[place]?.text ?? '';
  const [truth, ...alternatives] = readings(written).map((value) => withMember(draft.truth, String(key), value));
  const damaged = rewrite(draft, [place], () => text(written) ?? written);
  return damaged === undefined || truth === undefined ? undefined : { ...damaged, truth, alternatives };
}

/** Classes without a single right answer. The truth is the most expected reading; the alternatives are equally good. */
export const ambiguousDamages: readonly Damage[] = [
  ambiguous('escaped dollars and backticks', (draft, random) => {
    const places = someOf(
      placesOf(draft, 'string', ({ text }) => /[$`]/.test(text)),
      random,
    );
    const before = (signs: string, backslash: string): Draft | undefined =>
      rewrite(draft, places, ({ text }) => {
        const units = unitsOf(text).map((unit) => (signs.includes(unit) ? backslash + unit : unit));
        return `"${units.join('')}"`;
      });
    const damaged = before('$`', '\\');
    if (damaged === undefined) return undefined;
    // Keeping the backslashes, or at least those before dollar signs, is equally good.
    const kept = [before('$`', '\\\\'), before('$', '\\\\')].map(
      (one) => JSON.parse(textOf(one?.tokens ?? [])) as JsonValue,
    );
    return { ...damaged, alternatives: kept };
  }),
  {
    ...ambiguous(
      'Windows paths whose backslashes also read as escapes',
      (draft, random) => {
        const places = placesOf(draft, 'string', (token) => {
          if (draft.flavorOf(String(token.value)) !== 'windows path of escapes') return false;
          return singleBackslashes(unitsOf(token.text), (next) => /^[bfnrt]/.test(next)) !== undefined;
        });
        return rewrite(draft, someOf(places, random), ({ text }) => text.replaceAll('\\\\', '\\'));
      },
      true,
    ),
    seed: 'Windows paths of escapes',
  },
  ambiguous('closer of an object missing before a key', (draft, random) => {
    const places = closersBeforeKeys(draft, '}');
    return places.length === 0 ? undefined : rewrite(draft, [random.pick(places)], () => '');
  }),
  ambiguous('the text of a call of the same tool, unescaped', (draft, random) => {
    const place = placesOf(draft, 'string', ({ depth }) => depth === 1).at(0);
    const key = draft.tokens.slice(0, place ?? 0).findLast((token) => token.kind === 'key')?.value;
    if (place === undefined || key === undefined) return undefined;
    const inner = textOf(
      writeTokens(draft.shape.make(createMaterial(random), random), { spacing: 'spaced', ascii: false }),
    );
    const damaged = rewrite(draft, [place], () => `"${inner}"`);
    return damaged === undefined ? undefined : { ...damaged, truth: withMember(draft.truth, String(key), inner) };
  }),
  ambiguous('missing value', (draft, random) =>
    inMember(
      draft,
      random,
      random.pick(['number', 'word']),
      () => '',
      () => [null, undefined, ''],
    ),
  ),
  ambiguous('NaN and Infinity', (draft, random) => {
    const word = random.pick(['NaN', 'Infinity', '-Infinity']);
    return inMember(
      draft,
      random,
      'number',
      () => word,
      () => [null, word, undefined, Number(word)],
    );
  }),
  ambiguous('two different objects', (draft, random) => {
    const second = draft.shape.make(createMaterial(random), random);
    const written = textOf(writeTokens(second, { spacing: 'spaced', ascii: false }));
    return { ...draft, text: `${writtenText(draft)}\n${written}`, alternatives: [second, [draft.truth, second]] };
  }),
  ambiguous('leading zeros', (draft, random) =>
    inMember(
      draft,
      random,
      'number',
      (written) => (/^[1-9]\d*$/.test(written) ? `00${written}` : undefined),
      (written) => [Number(written), `00${written}`],
    ),
  ),
];
