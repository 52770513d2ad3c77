import { ofRow } from '../random.ts';
import type { Random } from '../random.ts';
import { markdowns, markups } from './markup.ts';
import { commands, patterns, programs } from './programs.ts';
import {
  adjectives,
  apostropheSentences,
  domains,
  extensions,
  folders,
  names,
  nouns,
  quotedSentences,
  sentences,
  unicodeTexts,
  verbs,
} from './words.ts';

/** The kind of text in a string. Damages look for strings of a kind. */
export type Flavor =
  | 'word'
  | 'phrase'
  | 'path'
  | 'url'
  | 'prose'
  | 'quoted prose'
  | 'apostrophes'
  | 'code'
  | 'shell'
  | 'html'
  | 'markdown'
  | 'json'
  | 'pattern'
  | 'windows path'
  | 'windows path of escapes'
  | 'coloured log'
  | 'unicode';

/** Creates texts as they occur in arguments of tool calls, and remembers the kind of each. */
export interface Material {
  make(flavor: Flavor): string;
  /** Returns the kind of a text that was created here. */
  readonly flavorOf: (text: string) => Flavor | undefined;
}

/** Segments that begin with a character for which JSON has no escape. */
const plainSegments = ['Users', 'Public', 'Games', 'Program Files', 'Documents', 'Projects', 'Kits', 'Shared', 'Media'];
/** Segments that begin with a letter that is an escape after a backslash. */
const escapeSegments = ['new', 'temp', 'repo', 'fonts', 'builds', 'notes', 'tools', 'backup', 'reports', 'files'];

/**
 * Creates the material of one document. The two main ranges of seeds use separate halves; all other seeds use
 * everything.
 */
export function createMaterial(everyRandom: Random): Material {
  const random: Random = {
    ...everyRandom,
    pick: (items) => everyRandom.pick(ofRow(everyRandom, items)),
    sample: (items, count) => everyRandom.sample(ofRow(everyRandom, items), count),
  };
  const made = new Map<string, Flavor>();
  const fill = (template: string): string => fillSlots(template, random);
  const makers: Readonly<Record<Flavor, () => string>> = {
    word: () => fill(random.pick(['{noun}', '{adjective}', '{verb}_{noun}', '{noun}{number}', '{Noun}'])),
    phrase: () => fill(random.pick(['{adjective} {noun}', '{verb} the {noun}', '{name} and the {adjective} {noun}'])),
    path: () => fill(random.pick(['{folder}/{noun}.{extension}', './{folder}/{noun}/{noun2}.{extension}', '{noun}.{extension}'])),
    url: () => fill(random.pick(['https://{domain}/{noun}/{number}', 'https://{domain}/{noun}?page={number}&sort={verb}', 'http://localhost:8080/{noun}#{noun2}'])),
    prose: () => fill(random.sample(sentences, random.whole(1, 2)).join(' ')),
    'quoted prose': () => fill(random.sample(quotedSentences, random.whole(1, 2)).join(random.chance(0.2) ? '\n' : ' ')),
    apostrophes: () => fill(random.sample(apostropheSentences, random.whole(1, 2)).join(' ')),
    code: () => fill(random.sample(programs, random.pick([1, 1, 2, 3])).join('\n')),
    shell: () => fill(random.pick(commands)),
    html: () => fill(random.sample(markups, random.whole(1, 2)).join(random.chance(0.5) ? '\n' : '')),
    markdown: () => fill(random.pick(markdowns)),
    json: () => makeInnerJson(random, fill),
    pattern: () => fill(random.pick(patterns)),
    'windows path': () => makeWindowsPath(random, plainSegments),
    'windows path of escapes': () => makeWindowsPath(random, escapeSegments),
    'coloured log': () => fill(random.pick([
      '\u001B[31merror\u001B[0m {noun} not found\u0007',
      '{number} \u001B[1m{noun}\u001B[22m\tdone\u0008',
      '\u001B[2K\u001B[32m{verb}\u001B[39m {noun2}',
      '\u0001{noun}\u0002\u001F{noun2}',
    ])),
    unicode: () => random.pick(unicodeTexts),
  }; // prettier-ignore
  return {
    make(flavor) {
      const text = makers[flavor]();
      made.set(text, flavor);
      return text;
    },
    flavorOf: (text) => made.get(text),
  };
}

function makeInnerJson(random: Random, fill: (template: string) => string): string {
  const inner = random.pick([
    { id: random.whole(1, 999), tags: [fill('{noun}'), fill('{noun2}')] },
    { name: fill('{noun}'), private: random.chance(0.5) },
    { user: { name: fill('{name}'), roles: ['admin', fill('{noun}')] }, active: true },
    { query: fill('{verb} {noun}'), page: random.whole(1, 9), filter: null },
    { name: fill('@demo/{noun}'), version: '1.2.3', scripts: { build: fill('{verb} --all'), test: 'vitest run' } },
    {
      items: [
        { sku: fill('{noun}-{number}'), price: 12.5 },
        { sku: fill('{noun2}'), price: 3 },
      ],
    },
  ]);
  return random.chance(0.6) ? JSON.stringify(inner) : JSON.stringify(inner, undefined, 2);
}

function makeWindowsPath(random: Random, segments: readonly string[]): string {
  const file = random.chance(0.5) ? [`${random.pick(segments)}.txt`] : [];
  return [`${random.pick(['C', 'D', 'E'])}:`, ...random.sample(segments, random.whole(1, 3)), ...file].join('\\');
}

function fillSlots(template: string, random: Random): string {
  const slots: Readonly<Record<string, string>> = {
    noun: random.pick(nouns),
    noun2: random.pick(nouns),
    verb: random.pick(verbs),
    verb2: random.pick(verbs),
    adjective: random.pick(adjectives),
    name: random.pick(names),
    folder: random.pick(folders),
    extension: random.pick(extensions),
    domain: random.pick(domains),
    number: String(random.whole(2, 980)),
  };
  return template.replaceAll(/\{(\w+)\}/g, (whole, slot: string) => {
    const filler = slots[slot.charAt(0).toLowerCase() + slot.slice(1)];
    if (filler === undefined) return whole;
    return /^[A-Z]/.test(slot) ? filler.charAt(0).toUpperCase() + filler.slice(1) : filler;
  });
}
