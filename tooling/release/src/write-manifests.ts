/**
 * Writes the shared fields into the manifests of all published packages.
 *
 * usage: node tooling/release/src/write-manifests.ts
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

import { readOrganization } from './organization.ts';
import { withSharedFields } from './shared-fields.ts';
import type { ManifestData } from './shared-fields.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folders = [...readdirSync(`${root}packages`).map((name) => `packages/${name}`), 'apps/create-haft', 'apps/demo'];

for (const folder of folders.toSorted((one, other) => (one < other ? -1 : 1))) {
  const path = `${root}${folder}/package.json`;
  const text = readFileSync(path, 'utf8');
  const present = JSON.parse(text) as ManifestData;
  const wanted = withSharedFields(folder, present, readOrganization());
  // The order of the members is the formatter's.
  if (isDeepStrictEqual(wanted, present)) continue;
  writeFileSync(path, `${JSON.stringify(wanted, undefined, 2)}\n`);
  process.stdout.write(`written: ${folder}/package.json\n`);
}
