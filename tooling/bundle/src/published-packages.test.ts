import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import * as esbuild from 'esbuild';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import webpack from 'webpack';

import { copyBuiltPackage } from './copy-built-package.ts';

const packages = fileURLToPath(new URL('../../../packages/', import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-published-')));
/** A folder without installed packages, for programs that are bundled completely. */
const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'haft-bundled-')));

beforeAll(async () => {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@haft'), { recursive: true });
  const needed = { jsonrepair: 'repair', ajv: 'schema', minisearch: 'core' };
  for (const [name, owner] of Object.entries(needed)) {
    const manifest = findPackageJSON(name, join(packages, owner, 'package.json'))!;
    symlinkSync(dirname(manifest), join(modules, name));
  }
  for (const name of ['repair', 'schema', 'core'])
    await copyBuiltPackage(join(packages, name), join(modules, '@haft', name));
}, 60_000);
afterAll(() => {
  for (const made of [folder, elsewhere]) rmSync(made, { recursive: true, force: true });
});

/** Defines a tool, and calls it with arguments as text. */
const program = `
import { createDispatcher, decodeArgs, defineTool, renderForModel } from '@haft/core';
const input = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
const add = defineTool({ name: 'add', description: 'Adds.', kind: 'read', input, execute: ({ a }) => String(a + 1) });
const { dispatch } = createDispatcher({ registry: [add] });
const call = async (text) => renderForModel(await dispatch({ id: 'call_1', name: 'add', arguments: text }));
`;
const adding = `${program}
const answers = [await call('{"a": 1}'), await call("{a: '2',}"), String(decodeArgs(true, { arguments: '{a: 3,}' }).value.a)];
console.log(answers.join());
`;

async function run(path: string): Promise<string> {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [path], { env });
  return stdout.trim();
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('the bundled packages in Node', () => {
  it('load neither the repairer nor any library before it is needed', async () => {
    const watching = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({
  resolve(name, context, next) {
    const found = next(name, context);
    loaded.push(found.url);
    return found;
  },
});
const has = (part) => loaded.some((url) => url.includes(part));
const seen = () => ({ core: has('/core/dist/'), repairer: has('/repair/dist/json.js'), jsonrepair: has('/repair/dist/jsonrepair.js'), ajv: has('/schema/dist/parts/2020.js'), minisearch: has('/core/dist/search.js') });
const imported = await import('@haft/core').then(seen);
${program.replace(/import (.*) from '@haft\/core';/, "const $1 = await import('@haft/core');").replace("integer' }", "integer' }, b: { type: 'string' }")}
const whole = [await call('{"a": 1, "b": "it is so"}'), seen()];
const damaged = [await call("{a: '2',}"), seen()];
console.log(JSON.stringify({ imported, whole, damaged, files: loaded.filter((url) => url.includes('/@haft/')).length }));
`;
    const seen = JSON.parse(await run(write('watching.mjs', watching)));
    const nothing = { core: true, repairer: false, jsonrepair: false, ajv: false, minisearch: false };
    expect(seen.imported).toEqual(nothing);
    expect(seen.whole).toEqual(['2', { ...nothing, ajv: true }]);
    expect(seen.damaged).toEqual(['3', { ...nothing, ajv: true, repairer: true }]);
  });

  it('read every call, also while another part of the program imports the repairer', async () => {
    const racing = `${program}
const [, answer] = await Promise.all([import('@haft/repair'), call("{a: '2',}")]);
console.log(answer);
`;
    expect(await run(write('racing.mjs', racing))).toBe('3');
  });
});

describe('the bundled packages in other bundlers', () => {
  const entry = (): string => write('adding.mjs', adding);
  const answers = '2,3,3';

  it.each(['browser', 'node', 'neutral'] as const)('work with esbuild for %s', async (platform) => {
    const outfile = join(elsewhere, `esbuild-${platform}.mjs`);
    const mainFields = platform === 'neutral' ? { mainFields: ['module', 'main'] } : {};
    await esbuild.build({
      entryPoints: [entry()],
      bundle: true,
      format: 'esm',
      platform,
      outfile,
      ...mainFields,
      external: ['node:*'],
    });
    expect(await run(outfile)).toBe(answers);
  });

  it.each(['browser', 'node'] as const)('work with rolldown for %s', async (platform) => {
    const bundle = await rolldown({ input: entry(), platform });
    const file = join(elsewhere, `rolldown-${platform}.mjs`);
    await bundle.write({ file, codeSplitting: false });
    await bundle.close();
    expect(await run(file)).toBe(answers);
  });

  it.each(['web', 'node'] as const)('work with webpack for %s', async (target) => {
    const compiler = webpack({
      mode: 'production',
      optimization: { minimize: false },
      target: [target, 'es2022'],
      entry: entry(),
      output: { path: elsewhere, filename: `webpack-${target}.mjs`, module: true, chunkFormat: 'module' },
      experiments: { outputModule: true },
    })!;
    const stats = await promisify(compiler.run.bind(compiler))();
    expect(stats?.toString({ all: false, errors: true })).toBe('');
    expect(await run(join(elsewhere, `webpack-${target}.mjs`))).toBe(answers);
  });

  it('dispatch calls even if a bundler picks the variant meant for Node', async () => {
    const outfile = join(elsewhere, 'misled.mjs');
    await esbuild.build({
      stdin: {
        contents: `${program}\nconsole.log(await call("{a: '2',}"), await call('{a: 3}'));`,
        resolveDir: folder,
      },
      bundle: true,
      format: 'esm',
      platform: 'node',
      conditions: ['production'],
      outfile,
    });
    expect(await run(outfile)).toBe('3 4');
  });
});
