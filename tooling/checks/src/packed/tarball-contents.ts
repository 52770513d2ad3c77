import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { packageOfSpecifier } from '../package-of-specifier.ts';
import type { Problem } from '../problem.ts';
import type { Manifest } from '../workspace.ts';

const blockSize = 512;

/** Reads the files of an npm tarball, keyed by their path inside the package. */
export function readTarball(path: string): ReadonlyMap<string, string> {
  const bytes = gunzipSync(readFileSync(path));
  const files = new Map<string, string>();
  for (let offset = 0; offset + blockSize <= bytes.length;) {
    const field = (start: number, length: number): string =>
      bytes.toString('utf8', offset + start, offset + start + length).replace(/\0.*$/s, '');
    const name = field(0, 100);
    if (name === '') break;
    const size = Number.parseInt(field(124, 12).trim(), 8);
    const prefix = field(345, 155);
    const start = offset + blockSize;
    // Type "0" is a regular file. Packages contain no other relevant entries.
    if (field(156, 1) === '0') {
      const whole = prefix === '' ? name : `${prefix}/${name}`;
      files.set(whole.replace(/^package\//, ''), bytes.toString('utf8', start, start + size));
    }
    offset = start + Math.ceil(size / blockSize) * blockSize;
  }
  if (files.size === 0) throw new Error(`${path} contains no files`);
  return files;
}

/** Finds missing and unwanted files of a published package, given the files of its tarball. */
export function findTarballProblems(name: string, files: ReadonlyMap<string, string>): readonly Problem[] {
  const where = `the tarball of ${name}`;
  const manifest = JSON.parse(files.get('package.json') ?? '{}') as Manifest;
  const problems: Problem[] = [];
  for (const needed of ['package.json', 'README.md', 'LICENSE']) {
    if (!files.has(needed))
      problems.push({ where, what: `${needed} is missing`, remedy: 'See "files" and the folder of the package' });
  }
  for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
    const paths = typeof target === 'string' ? [target] : Object.values(target);
    for (const path of paths) {
      if (!files.has(path.replace(/^\.\//, ''))) {
        problems.push({
          where,
          what: `"${subpath}" refers to ${path}, which is missing`,
          remedy: 'Build the file, and include it in "files"',
        });
      }
    }
  }
  for (const [page, html] of files) {
    if (!page.endsWith('.html')) continue;
    for (const [, link = ''] of html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)) {
      const path = posix.join(posix.dirname(page), link);
      if (!files.has(path))
        problems.push({ where, what: `${page} refers to ${path}, which is missing`, remedy: 'Build the page' });
    }
  }
  for (const path of files.keys()) {
    if (/\.test(?:-d)?\.|(?:^|\/)fixtures\/|\.tsbuildinfo$|\.map$|^src\/|(?:^|\/)\.turbo\//.test(path)) {
      problems.push({
        where,
        what: `${path} is included`,
        remedy: 'Exclude it in "files" and in "exclude" of tsconfig.json',
      });
    }
  }
  problems.push(...findDocsProblems(where, files));
  for (const specifier of findUninstalled(manifest, files)) {
    problems.push({
      where,
      what: `a declaration imports ${specifier}, which users do not install`,
      remedy: 'Declare the part of its type that is needed, or add it to dependencies',
    });
  }
  for (const [dependency, range] of Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    if (/^(?:workspace|link|file):/.test(range)) {
      problems.push({
        where,
        what: `it depends on ${dependency} at ${range}`,
        remedy: 'Pack with pnpm, which writes the version',
      });
    }
  }
  return problems;
}

/** Imports of declarations from packages that are not installed with this one. Their types would be `any`. */
function findUninstalled(manifest: Manifest, files: ReadonlyMap<string, string>): readonly string[] {
  const installed = { ...manifest.dependencies, ...manifest.peerDependencies };
  const found = new Set<string>();
  for (const [path, text] of files) {
    if (!path.endsWith('.d.ts')) continue;
    for (const [, specifier = ''] of text.matchAll(/^(?:import|export)\s[^;]*?from '([^.'][^']*)';/gm)) {
      const name = packageOfSpecifier(specifier);
      if (!specifier.startsWith('node:') && name !== manifest.name && !Object.hasOwn(installed, name))
        found.add(specifier);
    }
  }
  return [...found];
}

/** Maximum total size of the pages in `dist/docs`, in bytes. */
const maxDocsBytes = 50_000;

function findDocsProblems(where: string, files: ReadonlyMap<string, string>): readonly Problem[] {
  const docs = [...files].filter(([path]) => path.startsWith('dist/docs/'));
  const bytes = docs.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
  return [
    ...docs
      .filter(([path]) => !path.endsWith('.md'))
      .map(([path]) => ({ where, what: `${path} is no Markdown`, remedy: 'Ship only Markdown in dist/docs' })),
    ...(bytes > maxDocsBytes
      ? [
          {
            where,
            what: `dist/docs has ${bytes} bytes (at most ${maxDocsBytes})`,
            remedy: 'Give a page to another package in tooling/bundle/src/package-docs.ts',
          },
        ]
      : []),
  ];
}
