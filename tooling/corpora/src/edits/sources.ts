import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from '../random.ts';
import { generateSources } from './generate-sources.ts';

const packages = fileURLToPath(new URL('../../../../packages/', import.meta.url));

/** The packages whose sources each range of seeds uses: for the studied seeds and for the held-out seeds. */
const packagesOf: Readonly<Record<string, readonly string[]>> = {
  development: ['builtins', 'sandbox'],
  'held-out': ['core', 'schema', 'runner'],
};

/**
 * Files as lines: this repository's own TypeScript and Markdown with two spaces, four spaces and tabs, and invented
 * files in other languages.
 */
export function readSources(random: Random): readonly (readonly string[])[] {
  const names = packagesOf[random.row] ?? Object.values(packagesOf).flat();
  const own = names.flatMap((name) => readFolder(join(packages, name)));
  const deeper = own.map((lines) => lines.map((line) => line.replace(/^(?: {2})+/, (blanks) => blanks.repeat(2))));
  const tabbed = own.map((lines) =>
    lines.map((line) => line.replace(/^(?: {2})+/, (blanks) => '\t'.repeat(blanks.length / 2))),
  );
  const made = generateSources(random);
  // Half of the files are in languages other than TypeScript.
  const others = Array.from({ length: Math.ceil((own.length * 3) / made.length) }, () => made).flat();
  return [...own, ...deeper, ...tabbed, ...others];
}

function readFolder(folder: string): readonly (readonly string[])[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|md)$/.test(entry.name) && !/node_modules|dist/.test(entry.parentPath))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').trimEnd().split('\n'))
    .filter((lines) => lines.length >= 40 && lines.length <= 1_200)
    .toSorted((one, other) => (one.join() < other.join() ? -1 : 1));
}
