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

/** Loads one area. Throws if its folder has no `index.ts` that exports `area`, or if the area has no attacks. */
export async function loadArea(name: string): Promise<AttackArea> {
  const { area } = (await import(new URL(`${name}/index.ts`, areas).href)) as { readonly area?: AttackArea };
  if (area === undefined) throw new Error(`areas/${name}/index.ts must export "area"`);
  if (area.attacks.length === 0) throw new Error(`areas/${name} has no attacks`);
  return area;
}
