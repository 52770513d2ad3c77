import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { makeCompositions, makeControls, makePrefixes, makeSingles, speedTexts } from './damaged-json/index.ts';
import { makeCases as makeNearMisses } from './near-misses/index.ts';
import { pluginText } from './plugin-texts/index.ts';
import { argumentsShapes, writeArguments } from './streamed-arguments/index.ts';
import { makeCallless, makeOutputs, makeTexts } from './tool-call-texts/index.ts';

const seeds = ['development', 'held-out'] as const;

const pinned: Readonly<Record<string, string>> = {
  'damaged JSON, one damage': '551c59af6ba1d232',
  'damaged JSON, several': '1cbc5e41051797cc',
  'damaged JSON, none': '403f651cf8da3f02',
  'texts for speed': 'fcee689b161d10ab',
  'texts with calls': 'e4eb7eb50f5acacc',
  'texts without calls': '5ede8a8e3bb0eeaa',
  'texts as models write them': '07e81c750c764def',
  'near misses': 'a396c0bdd029158d',
  'streamed arguments': '9bbfd16d04b1f7b4',
  'plugin texts': 'c3c73e200bd56f3d',
};

const corpora: Readonly<Record<string, () => unknown>> = {
  'damaged JSON, one damage': () => seeds.map((seed) => makeSingles(seed, 2)),
  'damaged JSON, several': () =>
    seeds.flatMap((seed) => [makeCompositions(seed, 2, 30), makeCompositions(seed, 3, 30)]),
  'damaged JSON, none': () => seeds.flatMap((seed) => [makeControls(seed, 20), makePrefixes(seed, 1)]),
  'texts for speed': () => speedTexts.map(({ make }) => make(10_000)),
  'texts with calls': () => seeds.map((seed) => makeTexts(seed, 1)),
  'texts without calls': () => seeds.map((seed) => makeCallless(seed, 2)),
  'texts as models write them': () => seeds.map((seed) => makeOutputs(seed, 2)),
  'near misses': () => seeds.map((seed) => makeNearMisses(seed, 3)),
  'streamed arguments': () => argumentsShapes.map((shape) => writeArguments(shape, 10_000)),
  'plugin texts': () => [pluginText(1), pluginText(2, 'other', '/tmp/log')],
};

/**
 * Update together with the figures of docs/benchmarks.md. Edits are excluded, because they are made of this
 * repository's files.
 */
describe('the same seeds give the same corpora', () => {
  it.each(Object.entries(corpora))('%s', (name, make) => {
    expect(createHash('sha256').update(JSON.stringify(make())).digest('hex').slice(0, 16)).toBe(pinned[name]);
  });
});
