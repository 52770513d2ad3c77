import type { JsonObject, JsonSchema, JsonValue } from '@haft/repair';

import type { Damage } from './damage.ts';
import type { Draft } from '../../json-documents/draft.ts';
import { placesOf, putIn, rewrite, writtenText } from '../../json-documents/draft.ts';
import { createMaterial } from '../../material/material.ts';
import type { Random } from '../../random.ts';
import { shapes } from '../../json-documents/shapes.ts';
import type { Token } from '../../json-documents/tokens.ts';
import { textOf, unitsOf, writeTokens } from '../../json-documents/tokens.ts';
import { closersBeforeKeys } from './structure.ts';
import { singleBackslashes } from './strings.ts';

type Apply = (draft: Draft, random: Random) => Draft | undefined;

/** Damages that can only be repaired with the schema, which shows the meaning of characters and brackets. */
function ofCharacters(name: string, apply: Apply, parses?: true): Damage {
  return {
    name,
    group: 'schema',
    decides: 'characters',
    touches: ['whole'],
    ...(parses === undefined ? {} : { parses }),
    apply,
  };
}

/** The text is unchanged, but a value of another type was meant. */
function ofValues(name: string, apply: Apply): Damage {
  return { name, group: 'schema', decides: 'values', touches: ['whole'], parses: true, apply };
}

/** Returns whether the value of a key of the outermost object begins at an offset. */
const isMember = (draft: Draft, token: Token, index: number): boolean => {
  const container = token.kind === 'open' ? 2 : 1;
  const before = draft.tokens.slice(0, index).findLast(({ kind }) => kind !== 'space');
  return token.depth === container && before?.kind === 'colon';
};

const keyOf = (draft: Draft, place: number): string =>
  String(draft.tokens.slice(0, place).findLast(({ kind, depth }) => kind === 'key' && depth === 1)?.value);

/** Returns the key of the container that a bracket belongs to. */
function containerKey(draft: Draft, bracket: number): string {
  const container = draft.tokens[bracket]?.container;
  return keyOf(
    draft,
    draft.tokens.findIndex((token) => token.kind === 'open' && token.container === container),
  );
}

/** Returns the schema of a member of the outermost object. */
function declared(draft: Draft, key: string): Readonly<Record<string, unknown>> {
  const { properties } = draft.shape.schema as { readonly properties?: Readonly<Record<string, JsonSchema>> };
  const found = properties?.[key];
  return typeof found === 'object' ? found : {};
}

const isText = (draft: Draft, token: Token, index: number): boolean => {
  const { type, enum: members } = declared(draft, keyOf(draft, index));
  return isMember(draft, token, index) && type === 'string' && members === undefined;
};

function pickMember(
  draft: Draft,
  random: Random,
  kind: Token['kind'],
  suits: (token: Token, index: number) => boolean,
): number | undefined {
  const places = placesOf(draft, kind, (token, index) => isMember(draft, token, index) && suits(token, index));
  return places.length === 0 ? undefined : random.pick(places);
}

/** Replaces the one token of a member by another spelling. */
const respell = (
  name: string,
  kind: Token['kind'],
  suits: (draft: Draft, token: Token, index: number) => boolean,
  spell: (token: Token, random: Random) => string,
): Damage =>
  ofValues(name, (draft, random) => {
    const place = pickMember(draft, random, kind, (token, index) => suits(draft, token, index));
    return place === undefined ? undefined : rewrite(draft, [place], (token) => spell(token, random));
  });

/** Writes a container that is a member as one string. */
const containerAsText = (name: string, bracket: string): Damage =>
  ofValues(name, (draft, random) => {
    const open = pickMember(draft, random, 'open', ({ text }) => text === bracket);
    if (open === undefined) return undefined;
    const container = draft.tokens[open]?.container;
    const close = draft.tokens.findIndex((token) => token.kind === 'close' && token.container === container);
    const inner = textOf(draft.tokens.slice(open, close + 1));
    return rewrite(draft, range(open, close + 1), (_, index) => (index === open ? JSON.stringify(inner) : ''));
  });

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

/** Replaces a declared string with a text that must be taken literally. */
function replaceText(draft: Draft, random: Random, texts: readonly string[]): Draft | undefined {
  const place = pickMember(draft, random, 'string', (token, index) => isText(draft, token, index));
  if (place === undefined) return undefined;
  const text = random.pick(texts);
  const key = keyOf(draft, place);
  const entries = Object.entries(draft.truth as JsonObject).map(([name, old]): [string, JsonValue] => [
    name,
    name === key ? text : old,
  ]);
  const damaged = rewrite(draft, [place], () => text);
  return damaged === undefined ? undefined : { ...damaged, truth: Object.fromEntries(entries) };
}

/** Uses the arguments of another tool. */
function otherArguments(draft: Draft, random: Random): string {
  const other = random.pick(shapes.filter(({ name }) => name !== draft.shape.name));
  return textOf(writeTokens(other.make(createMaterial(random), random), { spacing: 'spaced', ascii: false }));
}

export const schemaDamages: readonly Damage[] = [
  ofCharacters('two objects, one as declared', (draft, random) => {
    const parts = [writtenText(draft), otherArguments(draft, random)];
    return { ...draft, text: (random.chance(0.5) ? parts : parts.toReversed()).join(random.pick(['', '\n'])) };
  }),
  ofCharacters('word for a declared string', (draft, random) =>
    replaceText(draft, random, ['None', 'True', 'False', 'NaN', 'undefined']),
  ),
  ofCharacters(
    'number for a declared string',
    (draft, random) => replaceText(draft, random, ['1.10', '007', '1e5', '2.0', '12_000', '1.2.3']),
    true,
  ),
  ofCharacters('closer of an object missing before a key of its parent', (draft, random) => {
    // If any key is allowed, the parent's next key is allowed too.
    const places = closersBeforeKeys(draft, '}').filter(
      (place) =>
        draft.tokens[place]?.depth === 2 && declared(draft, containerKey(draft, place)).additionalProperties === false,
    );
    return places.length === 0 ? undefined : rewrite(draft, [random.pick(places)], () => '');
  }),
  ofCharacters('decoy object in prose', (draft, random) => {
    const decoy = random.pick(['{"ok": true}', '{"path": 1}', '{"example": "value"}', otherArguments(draft, random)]);
    const text = `${random.pick(['Last time I sent', 'Not like this:', 'The result was'])} ${decoy}. ${random.pick(['Now', 'So I send'])}:\n${writtenText(draft)}`;
    return { ...draft, text };
  }),
  ofCharacters('thousands set apart where a whole number is declared', (draft, random) => {
    const place = pickMember(
      draft,
      random,
      'number',
      ({ value }) => Number.isSafeInteger(value) && Number(value) >= 1_000,
    );
    if (place === undefined) return undefined;
    return rewrite(draft, [place], ({ text }) => text.replaceAll(/\B(?=(?:\d{3})+$)/g, ','));
  }),
  ofCharacters('unescaped JSON in a declared string', (draft) => {
    const places = placesOf(draft, 'string', (token) => draft.flavorOf(String(token.value)) === 'json');
    return rewrite(
      draft,
      places,
      ({ text }) =>
        `"${unitsOf(text)
          .map((unit) => (unit === '\\"' ? '"' : unit === '\\n' ? '\n' : unit))
          .join('')}"`,
    );
  }),
  ofCharacters('bare text with commas and quotes', (draft, random) => {
    const place = pickMember(
      draft,
      random,
      'string',
      (token, index) =>
        isText(draft, token, index) && /[",:]/.test(String(token.value)) && !/[\\\n]/.test(String(token.value)),
    );
    return place === undefined ? undefined : rewrite(draft, [place], ({ value }) => String(value));
  }),
  {
    ...ofCharacters(
      'declared Windows path whose backslashes also read as escapes',
      (draft) => {
        const places = placesOf(draft, 'string', (token) => {
          if (draft.flavorOf(String(token.value)) !== 'windows path of escapes') return false;
          return singleBackslashes(unitsOf(token.text), (next) => /^[bfnrt]/.test(next)) !== undefined;
        });
        return rewrite(draft, places, ({ text }) => text.replaceAll('\\\\', '\\'));
      },
      true,
    ),
    seed: 'Windows path of escapes in a declared string',
  },
  ofCharacters(
    'arguments in an envelope',
    (draft, random) => {
      const text = writtenText(draft);
      const name = JSON.stringify(draft.shape.name);
      const shapesOfEnvelopes = [
        `{"name": ${name}, "arguments": ${text}}`,
        `{"tool": ${name}, "parameters": ${text}}`,
        `{"arguments": ${text}}`,
        `{"input": ${text}}`,
        `{${name}: ${text}}`,
        `[${text}]`,
      ];
      return { ...draft, text: random.pick(shapesOfEnvelopes) };
    },
    true,
  ),
  ofCharacters(
    'arguments as a string in an envelope',
    (draft, random) => {
      const inner = JSON.stringify(writtenText(draft));
      const name = JSON.stringify(draft.shape.name);
      return {
        ...draft,
        text: random.pick([
          `{"name": ${name}, "arguments": ${inner}}`,
          `{"arguments": ${inner}}`,
          `{"function": {"name": ${name}, "arguments": ${inner}}}`,
        ]),
      };
    },
    true,
  ),
  containerAsText('list as a string of JSON', '['),
  containerAsText('object as a string of JSON', '{'),
  respell(
    'boolean as a string',
    'word',
    (_, { value }) => typeof value === 'boolean',
    ({ text }, random) => `"${random.chance(0.5) ? text : text.charAt(0).toUpperCase() + text.slice(1)}"`,
  ),
  respell(
    'null as a string',
    'word',
    (_, { value }) => value === null,
    (_, random) => `"${random.pick(['null', 'None'])}"`,
  ),
  respell(
    'number as a string',
    'number',
    () => true,
    ({ text }) => `"${text}"`,
  ),
  respell(
    'enum member in another case',
    'string',
    (draft, _, index) => declared(draft, keyOf(draft, index)).enum !== undefined,
    ({ text }, random) =>
      text === text.toUpperCase()
        ? text.toLowerCase()
        : random.chance(0.5)
          ? text.toUpperCase()
          : `"${text.charAt(1).toUpperCase()}${text.slice(2)}`,
  ),
  ofValues('one item for a list', (draft, random) => {
    const open = pickMember(draft, random, 'open', ({ text, container }) => {
      const inside = draft.tokens.filter((token) => token.container === container);
      return (
        text === '[' && inside.some(({ kind }) => kind === 'string') && !inside.some(({ kind }) => kind === 'comma')
      );
    });
    const container = draft.tokens[open ?? -1]?.container;
    return rewrite(
      draft,
      draft.tokens.flatMap((token, index) =>
        container !== undefined && token.container === container && (token.kind === 'open' || token.kind === 'close')
          ? [index]
          : [],
      ),
      () => '',
    );
  }),
  ofValues('key in another case', (draft, random) => {
    const places = placesOf(draft, 'key', ({ depth, text }) => depth === 1 && text.includes('_'));
    if (places.length === 0) return undefined;
    const spell = random.pick([
      (text: string): string => text.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      (text: string): string => text.replaceAll('_', '-'),
      (text: string): string => text.toUpperCase(),
    ]);
    return rewrite(draft, [random.pick(places)], ({ text }) => spell(text));
  }),
  {
    ...ofValues('undeclared key', (draft, random) => {
      const key = random.pick(['explanation', 'reasoning', 'note', 'comment']);
      return putIn(draft, 1, `"${key}": "${random.pick(['because it was asked for', 'as agreed'])}", `);
    }),
    seed: 'key that nobody declared',
  },
  ofValues('enum member cut short', (draft, random) => {
    const place = pickMember(
      draft,
      random,
      'string',
      (_, index) => declared(draft, keyOf(draft, index)).enum !== undefined,
    );
    const token = draft.tokens[place ?? -1];
    if (place === undefined || token === undefined) return undefined;
    const members = declared(draft, keyOf(draft, place)).enum as readonly string[];
    const length = random.whole(2, Math.max(2, String(token.value).length - 1));
    const begun = String(token.value).slice(0, length);
    if (members.filter((member) => member.startsWith(begun)).length !== 1) return undefined;
    const kept = draft.tokens.slice(0, place);
    const closers = kept.map(({ original }) => original).join('');
    const truth = JSON.parse(`${closers}${JSON.stringify(token.value)}}`) as JsonValue;
    return { ...draft, tokens: kept, text: `${textOf(kept)}"${begun}`, truth };
  }),
];
