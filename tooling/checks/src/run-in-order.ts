/**
 * Runs the programs of standard input, a JSON array of `{ code, directory }`, one after the other in this process. Writes
 * one byte to file descriptor 3 after each that has finished, and stops at the first that throws.
 */
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

import type { Program } from './run-program.ts';

const programs = JSON.parse(await text(process.stdin)) as readonly Program[];
const sources = new Map(
  programs.map(({ code, directory }, index) => [
    pathToFileURL(join(directory, `example-${index}.ts`)).href,
    { code, directory },
  ]),
);

// A URL in the folder of the program, so that imports resolve from there, without a file.
registerHooks({
  resolve: (specifier, context, next) =>
    sources.has(specifier) ? { url: specifier, shortCircuit: true } : next(specifier, context),
  load(url, context, next) {
    const program = sources.get(url);
    if (program === undefined) return next(url, context);
    return { format: 'module-typescript', source: program.code, shortCircuit: true };
  },
});

for (const [url, { directory }] of sources) {
  process.chdir(directory);
  await import(url);
  writeSync(3, '.');
}
