import { createMaterial } from '../material/material.ts';
import type { Random } from '../random.ts';
import { createRandom } from '../random.ts';
import { drawArguments } from './draw-arguments.ts';
import { drawTool } from './draw-tool.ts';
import type { ObjectPart } from './part.ts';
import type { Draft } from './spoil.ts';
import { renaming, spoilers } from './spoil.ts';
import { traps } from './traps.ts';
import { slips } from './write-with-slip.ts';

/** Arguments as a model wrote them, and their meaning. */
export interface Case {
  readonly group: 'one' | 'several' | 'slip' | 'trap';
  /** The kind of near miss, slip or trap. */
  readonly kind: string;
  readonly tool: ObjectPart;
  readonly text: string;
  /** The right values. If empty, only a refusal is right; a trap may always be refused. */
  readonly meant: readonly unknown[];
}

/**
 * Creates the cases of one range of seeds: the given number for each near miss alone, for several together, with slips,
 * and for each trap.
 */
export function makeCases(row: string, count: number): readonly Case[] {
  const kinds = Object.keys(spoilers);
  const each = <Made>(names: readonly string[], make: (name: string, seed: string) => Made): readonly Made[] =>
    names.flatMap((name) => Array.from({ length: count }, (_, index) => make(name, `${row}/${name}/${index}`)));
  return [
    ...each(kinds, (kind, seed) => makeNearMiss(seed, () => [kind])),
    ...each(kinds, (kind, seed) =>
      makeNearMiss(`${seed}/several`, (random) => [kind, ...random.sample(kinds, random.whole(1, 2))]),
    ),
    ...each(Object.keys(slips), (slip, seed) => makeNearMiss(`${seed}/slip`, (random) => [random.pick(kinds)], slip)),
    ...each(Object.keys(traps), makeTrap),
  ];
}

function makeNearMiss(seed: string, choose: (random: Random) => readonly string[], slip?: string): Case {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const random = createRandom(`${seed}/${attempt}`);
    const material = createMaterial(random);
    const tool = drawTool(random);
    const meant = drawArguments(tool, material, random);
    const draft: Draft = { tool, meant, value: structuredClone(meant) };
    const chosen = [...new Set(choose(random))];
    // Keys are renamed last, because the other near misses look up keys by name.
    const order = chosen.toSorted((left, right) => Number(left === renaming) - Number(right === renaming));
    if (!order.every((kind) => spoilers[kind]?.(draft, random, material))) continue;
    if (countChanges(draft.value, draft.meant) < order.length) continue;
    const text = slip === undefined ? JSON.stringify(draft.value) : slips[slip]?.(draft.value, random);
    if (text === undefined) continue;
    const group = slip !== undefined ? 'slip' : chosen.length > 1 ? 'several' : 'one';
    return { group, kind: slip ?? chosen[0] ?? '', tool, text, meant: [meant] };
  }
  throw new Error(`no arguments of ${seed} can be damaged this way`);
}

/**
 * Counts the places that differ. Cases with two near misses in one place are drawn again, because they could not be
 * undone.
 */
function countChanges(value: unknown, meant: unknown): number {
  if (Object.is(value, meant)) return 0;
  if (!isContainer(value) || !isContainer(meant) || Array.isArray(value) !== Array.isArray(meant)) return 1;
  const keys = new Set([...Object.keys(value), ...Object.keys(meant)]);
  const added = Object.keys(value).filter((key) => !Object.hasOwn(meant, key)).length;
  const shared = [...keys].filter((key) => Object.hasOwn(value, key) && Object.hasOwn(meant, key));
  return added + shared.reduce((sum, key) => sum + countChanges(value[key], meant[key]), 0);
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function makeTrap(kind: string, seed: string): Case {
  const random = createRandom(seed);
  const trap = traps[kind]?.(random, createMaterial(random));
  if (trap === undefined) throw new Error(`unknown trap ${kind}`);
  const { tool, value, meant } = trap;
  return { group: 'trap', kind, tool, text: JSON.stringify(value), meant };
}
