import type { JsonSchema, JsonValue } from '@haft/repair';

import type { Damage, DamageGroup } from './damages/damage.ts';
import { damages, plainDamages } from './damages/index.ts';
import type { Draft } from '../json-documents/draft.ts';
import { isWhole, writtenText } from '../json-documents/draft.ts';
import { createMaterial } from '../material/material.ts';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import { isJson } from '../same-value.ts';
import { shapes } from '../json-documents/shapes.ts';
import type { Layout, Token } from '../json-documents/tokens.ts';
import { textOf, writeTokens } from '../json-documents/tokens.ts';

/** A text, and the value that a reader should find in it. */
export interface Case {
  readonly id: string;
  readonly text: string;
  readonly truth: JsonValue;
  readonly alternatives: readonly JsonValue[];
  /** The damages in the order of their application; empty for a control. */
  readonly damages: readonly string[];
  readonly group: DamageGroup | 'double' | 'triple' | 'control' | 'prefix';
  readonly tool: string;
  readonly schema: JsonSchema;
  /** Strings of the original value that no damage touched. */
  readonly untouched: readonly string[];
  /** Offset of the document in the text, after the text that was put before it. */
  readonly begin: number;
  /** Offset of the document's closer; the length of the text if a damage removed it. */
  readonly closer: number;
  /** Ends of documents that are complete by their brackets, because a stray closer closed them too early. */
  readonly ends: readonly number[];
}

const layouts: readonly Layout['spacing'][] = ['compact', 'spaced', '  ', '    '];

function createDraft(random: Random): Draft {
  const shape = random.pick(shapes);
  const material = createMaterial(random);
  const truth = shape.make(material, random);
  const tokens = writeTokens(truth, { spacing: random.pick(layouts), ascii: random.chance(0.25) });
  return { shape, tokens, truth, alternatives: [], flavorOf: material.flavorOf };
}

function damageDraft(draft: Draft, classes: readonly Damage[], random: Random): Draft | undefined {
  let current = draft;
  for (const damage of classes) {
    const before = writtenText(current);
    const after = damage.apply(current, random);
    if (after === undefined || writtenText(after) === before) return undefined;
    current = after;
  }
  return current;
}

function toCase(id: string, group: Case['group'], classes: readonly Damage[], draft: Draft): Case {
  return {
    id,
    text: writtenText(draft),
    truth: draft.truth,
    alternatives: draft.alternatives,
    damages: classes.map(({ name }) => name),
    group,
    tool: draft.shape.name,
    schema: draft.shape.schema,
    untouched: untouchedStrings(draft, classes),
    ...placeOf(draft),
  };
}

/** Offset of the document in its text. Text around the document leaves it unchanged unless the whole was encoded. */
function placeOf(draft: Draft): Pick<Case, 'begin' | 'closer' | 'ends'> {
  const text = writtenText(draft);
  const inner = textOf(draft.tokens);
  const last = draft.tokens.findLastIndex(({ kind, depth }) => kind === 'close' && depth === 1);
  const isLost = last === -1 || draft.tokens[last]?.text === '';
  const begin = text.lastIndexOf(inner);
  const ends = earlyEnds(draft.tokens);
  // In a text that is encoded as a whole, only the last closer can be found.
  if (begin === -1)
    return { begin: 0, closer: ends.length > 0 ? 0 : isLost ? text.length : text.lastIndexOf('}'), ends: [] };
  const closer = isLost ? text.length : begin + textOf(draft.tokens.slice(0, last)).length;
  return { begin, closer, ends: ends.map((end) => begin + end) };
}

/** Returns the offsets before the end at which all brackets are closed, ignoring brackets in strings. */
function earlyEnds(tokens: readonly Token[]): readonly number[] {
  const ends: number[] = [];
  let depth = 0;
  let at = 0;
  for (const { kind, text } of tokens) {
    const length = kind === 'open' || kind === 'close' ? text.length : 0;
    for (let index = 0; index < length; index += 1) {
      depth += '{[｛［('.includes(text.charAt(index)) ? 1 : -1;
      if (depth <= 0) ends.push(at + index + 1);
    }
    at += text.length;
  }
  return ends.slice(0, -1);
}
/** Returns the strings that the damage left unchanged in the text. */
function untouchedStrings(draft: Draft, classes: readonly Damage[]): readonly string[] {
  if (classes.some(({ touches, group }) => touches.includes('whole') || group === 'truncation')) return [];
  return draft.tokens.filter((token) => token.kind === 'string' && isWhole(token)).map(({ value }) => String(value));
}

/** Creates documents until one supports this damage, and applies it. */
function makeCase(seed: string, group: Case['group'], choose: (random: Random) => readonly Damage[]): Case {
  const random = createRandom(seed);
  for (let attempt = 0; attempt < 2_000; attempt += 1) {
    const draft = createDraft(random);
    const classes = choose(random);
    const damaged = damageDraft(draft, classes, random);
    if (damaged === undefined) continue;
    const text = writtenText(damaged);
    // Tries again if the text is valid JSON, because the damage is then not visible.
    if (classes.length > 0 && classes.every((damage) => damage.parses === undefined) && isJson(text)) continue;
    return toCase(seed, group, classes, damaged);
  }
  throw new Error(`no document can be damaged for ${seed}`);
}

/** Creates cases with one damage: the given number for each class. */
export function makeSingles(split: string, perClass: number, classes: readonly Damage[] = damages): readonly Case[] {
  return classes.flatMap((damage) =>
    Array.from({ length: perClass }, (_, index) =>
      makeCase(`${split}/${damage.seed ?? damage.name}/${index}`, damage.group, () => [damage]),
    ),
  );
}

/** Creates cases with several damages that touch no common token. */
export function makeCompositions(split: string, size: 2 | 3, count: number): readonly Case[] {
  const group = size === 2 ? 'double' : 'triple';
  return Array.from({ length: count }, (_, index) =>
    makeCase(`${split}/${group}/${index}`, group, (random) => chooseCompatible(size, random)),
  );
}

function chooseCompatible(size: number, random: Random): readonly Damage[] {
  for (;;) {
    const chosen: Damage[] = [];
    const touched = new Set<string>();
    for (const damage of random.sample(plainDamages, plainDamages.length).toSorted(() => random.next() - 0.5)) {
      if (chosen.length === size) break;
      if (damage.touches.some((aspect) => touched.has(aspect))) continue;
      for (const aspect of damage.touches) touched.add(aspect);
      chosen.push(damage);
    }
    if (chosen.length === size) return chosen.toSorted((left, right) => damages.indexOf(left) - damages.indexOf(right));
  }
}

/** Creates undamaged documents. */
export function makeControls(split: string, count: number): readonly Case[] {
  return Array.from({ length: count }, (_, index) => makeCase(`${split}/control/${index}`, 'control', () => []));
}

/** Creates short undamaged documents, to read each of their prefixes. */
export function makeShortDocuments(split: string, count: number, longest = 450): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const random = createRandom(`${split}/prefixes/${index}`);
    for (;;) {
      const text = textOf(createDraft(random).tokens);
      if (text.length <= longest) return text;
    }
  });
}
