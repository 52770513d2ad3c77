import type { JsonSchema } from '@haft/repair';

import { makeCallless, makeOutputs, makeTexts, readFixtures } from '@haft-tooling/corpora/tool-call-texts';
import { makeCompositions, makeControls, makeSingles } from '@haft-tooling/corpora/damaged-json';
import type { Random } from '@haft-tooling/corpora/random';
import { createRandom } from '@haft-tooling/corpora/random';
import { fuzzedTools } from './fuzzed-tools.ts';
import type { FuzzInput, Target } from './input.ts';
import { makeJson } from './make-json.ts';
import { mutate } from './mutate.ts';
import { callTokens, jsonTokens } from './tokens.ts';

interface Seed {
  readonly text: string;
  readonly schema?: JsonSchema;
}

/** A source of inputs. */
export interface FuzzSource {
  next(): FuzzInput;
  /** Keeps an input with new coverage for further mutation. */
  keep(input: FuzzInput): void;
}

/** Longer texts are cut: laws break in short texts as well, and many short texts take the same time. */
const longest = 240;
const maxKept = 3_000;
const names = new Set(fuzzedTools.map(({ name }) => name));

/**
 * Generates inputs from a grammar of valid JSON, from random tokens, and by mutating damaged documents, messages with
 * calls and kept inputs. The same seed gives the same inputs as long as the same ones are kept.
 */
export function createSource(seed: string): FuzzSource {
  const random = createRandom(`${seed}/inputs`);
  const seeds: Record<'json' | 'calls', readonly Seed[]> = {
    json: [
      ...makeSingles(seed, 2),
      ...makeCompositions(seed, 2, 60),
      ...makeCompositions(seed, 3, 60),
      ...makeControls(seed, 30),
    ],
    calls: [
      ...makeTexts(seed, 4),
      ...makeCallless(seed, 4),
      ...makeOutputs(seed, 6),
      ...readFixtures().examples,
      ...readFixtures().probes,
    ].filter(({ expected }) => expected.every(({ name }) => names.has(name))),
  };
  const kept: Record<'json' | 'calls', Seed[]> = { json: [], calls: [] };
  const pick = (target: 'json' | 'calls'): Seed =>
    kept[target].length > 0 && random.chance(0.4) ? random.pick(kept[target]) : random.pick(seeds[target]);
  return {
    next() {
      const salt = random.whole(0, 0x7fffffff);
      const target = targetOf(random);
      if (target === 'growth') return { target, salt, text: makePiece(random) };
      const tokens = target === 'calls' && random.chance(0.6) ? callTokens : jsonTokens;
      const chance = random.next();
      if (target === 'json' && chance < 0.1) return { target, salt, text: makeJson(random) };
      if (target === 'json' && chance < 0.25) {
        return { target, salt, text: mutate(makeJson(random), makeJson(random), tokens, random) };
      }
      if (chance > 0.9) return { target, salt, text: makeSoup(random, tokens) };
      const { text, schema } = pick(target);
      const changed = mutate(shorten(text, random), shorten(pick(target).text, random), tokens, random);
      return { target, salt, text: changed, ...(schema === undefined ? {} : { schema }) };
    },
    keep({ target, text, schema }) {
      if (target === 'growth' || text.length > longest) return;
      const pool = kept[target];
      const seed = schema === undefined ? { text } : { text, schema };
      if (pool.length < maxKept) pool.push(seed);
      else pool[random.whole(0, maxKept - 1)] = seed;
    },
  };
}

function targetOf(random: Random): Target {
  const share = random.next();
  return share < 0.0003 ? 'growth' : share < 0.6 ? 'json' : 'calls';
}

function makeSoup(random: Random, tokens: readonly string[]): string {
  return Array.from({ length: random.whole(1, 25) }, () => random.pick(tokens)).join('');
}

function makePiece(random: Random): string {
  const tokens = random.chance(0.5) ? jsonTokens : callTokens;
  return Array.from({ length: random.whole(1, 4) }, () => random.pick(tokens)).join('');
}

function shorten(text: string, random: Random): string {
  if (text.length <= longest) return text;
  const from = random.chance(0.5) ? 0 : random.whole(0, text.length - longest);
  return text.slice(from, from + longest);
}
