import { readdirSync } from 'node:fs';

import type { AttackArea } from './attack.ts';

const areas = new URL('areas/', import.meta.url);

/** Returns the names of all areas: the folders in `areas/`. */
export function listAreaNames(): readonly string[] {
  return readdirSync(areas, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

/** Loads one area. Throws if its folder has no `index.ts` that exports `area`, or if {@link checkArea} does. */
export async function loadArea(name: string): Promise<AttackArea> {
  const { area } = (await import(new URL(`${name}/index.ts`, areas).href)) as { readonly area?: AttackArea };
  if (area === undefined) throw new Error(`areas/${name}/index.ts must export "area"`);
  checkArea(name, area);
  return area;
}

/** Throws if an area has no attacks, or two of the same name. */
export function checkArea(name: string, { attacks }: AttackArea): void {
  if (attacks.length === 0) throw new Error(`areas/${name} has no attacks`);
  const names = attacks.map((each) => each.name);
  const repeated = names.find((each, index) => names.indexOf(each) !== index);
  if (repeated !== undefined) throw new Error(`areas/${name} has two attacks named "${repeated}"`);
}
