import type { Material } from '../material/material.ts';
import type { Random } from '../random.ts';
import type { ObjectPart, Part } from './part.ts';

/** Draws valid arguments. About two in three of the optional keys are given. */
export function drawArguments(tool: ObjectPart, material: Material, random: Random): Record<string, unknown> {
  return drawObject(tool, material, random);
}

function drawObject({ members }: ObjectPart, material: Material, random: Random): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [name, { part, isRequired }] of Object.entries(members)) {
    if (isRequired || random.chance(0.65)) value[name] = drawValue(part, material, random);
  }
  return value;
}

function drawValue(part: Part, material: Material, random: Random): unknown {
  switch (part.kind) {
    case 'integer':
      return drawInteger(random, part.least ?? -500, part.most ?? 40_000);
    case 'number':
      return random.pick([0, 0.5, 1, -2.25, 12.75, 0.001, 3_000, 1e-7, 47.3769, 100]);
    case 'flag':
      return random.chance(0.5);
    case 'choice':
      return random.pick(part.values);
    case 'list':
      return Array.from({ length: random.pick([0, 1, 1, 1, 2, 3]) }, () => drawValue(part.items, material, random));
    case 'object':
      return drawObject(part, material, random);
    case 'textOrInteger':
      return random.chance(0.5) ? random.whole(0, 500) : material.make('word');
    case 'textOrFlag':
      return random.chance(0.5) ? random.chance(0.5) : material.make('word');
    case 'textOrObject':
      return random.chance(0.5) ? { [material.make('word')]: 1 } : material.make('word');
    default:
      return material.make(
        random.pick(['word', 'phrase', 'path', 'path', 'url', 'pattern', 'prose', 'unicode', 'shell']),
      );
  }
}

/** Mostly small, sometimes as large as an identifier or a time in milliseconds. */
function drawInteger(random: Random, least: number, most: number): number {
  if (most === 40_000 && random.chance(0.1))
    return random.pick([1_763_800_000_000, 9_007_199_254_740_991, 2_147_483_648]);
  return random.whole(least, most);
}
