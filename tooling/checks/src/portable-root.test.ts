import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { madeUpPackage } from './made-up-package.ts';
import { isBundled } from './package-shape.ts';
import { findBuiltinImports, findUnportableUses, listFilesBehind } from './portable-root.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { fromSource, runProgram } from './run-program.ts';
import { readPublishedPackages, repositoryRoot } from './workspace.ts';

/** The portable entries. Subpaths that are not listed may use Node. */
const portable = [
  { name: '@haft/repair', entries: ['src/index.ts', 'src/json.ts', 'src/calls.ts'] },
  { name: '@haft/schema', entries: ['src/index.ts'] },
  { name: '@haft/core', entries: ['src/index.ts'] },
];

const packages = portable.map(({ name, entries }) => {
  const found = readPublishedPackages().find(({ manifest }) => manifest.name === name);
  if (found === undefined) throw new Error(`${name} is not there, so its root cannot be checked`);
  return { found, entries };
});

/**
 * Runs a call from text to result after Node's own globals were removed. Uses JSON Schema, so that ajv is loaded.
 */
const withoutNode = `
for (const name of ['process', 'Buffer', 'global', 'setImmediate', 'clearImmediate']) delete globalThis[name];
const { asCallableTools, createDispatcher, defineTool, renderForModel, toToolCall } = await import('@haft/core');
const { extractToolCalls, repairJson } = await import('@haft/repair');
const input = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
const add = defineTool({ name: 'add', description: 'Adds.', kind: 'read', input, execute: ({ a }) => String(a + 1) });
const { dispatch, snapshot } = createDispatcher({ registry: [add] });
const text = "<tool_call>{name: 'add', arguments: {a: '1',}}";
const [call] = extractToolCalls(text, { tools: asCallableTools(snapshot()) }).calls;
const answer = renderForModel(await dispatch(toToolCall(call, 'call_1')));
if (answer !== '2') throw new Error(answer);
repairJson('{"a": "b" "c": 1 x: [}');
`;

const scratch = mkdtempSync(join(tmpdir(), 'haft-portable-test-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function usesIn(source: string): string {
  const path = join(scratch, 'root.mts');
  writeFileSync(path, source);
  return describeProblems(findUnportableUses([path]));
}

describe('the roots of repair, schema and core', { timeout: 60_000 }, () => {
  it('are one file, so that a page or a new process loads them at once', () => {
    for (const { found } of packages) expect(isBundled(found.files), found.folder).toBe(true);
  });

  it('import no Node built-in, directly or indirectly', () => {
    assertNoProblems(
      packages.flatMap(({ found, entries }) => entries.flatMap((entry) => findBuiltinImports(found, entry))),
    );
  });

  it('use only globals of every runtime and ES2022', () => {
    const entries = packages.flatMap(({ found, entries: paths }) =>
      paths.map((path) => join(repositoryRoot, found.folder, path)),
    );
    assertNoProblems(findUnportableUses(entries));
  });

  it('work without any Node global, including their dependencies', async () => {
    const directory = join(repositoryRoot, 'tooling', 'checks');
    // Of the built packages, Node would load entries of its own, which use `process`.
    expect(await runProgram(withoutNode, directory, fromSource)).toBeUndefined();
    const reaching = withoutNode.replace('const { dispatch', 'process.cwd();\nconst { dispatch');
    expect(await runProgram(reaching, directory, fromSource)).toContain('process is not defined');
  });

  it('are searched through their own files', () => {
    const made = madeUpPackage({
      files: {
        'src/index.ts': `export * from './a.ts';`,
        'src/a.ts': `import { join } from 'node:path';`,
        'src/b.ts': '',
      },
    });
    expect(listFilesBehind(made, 'src/index.ts')).toEqual(['src/a.ts', 'src/index.ts']);
    expect(describeProblems(findBuiltinImports(made, 'src/index.ts'))).toContain(
      `packages/core/src/a.ts:1: it imports the Node built-in 'node:path'`,
    );
    expect(() => listFilesBehind(made, 'src/gone.ts')).toThrow('does not exist');
  });

  it('are rejected if they use a global of Node or of browsers', () => {
    expect(usesIn('export const a: unknown = process.env;')).toContain(`Cannot find name 'process'`);
    expect(usesIn(`export const a: unknown = Buffer.from('');`)).toContain(`Cannot find name 'Buffer'`);
    expect(usesIn('export const a: unknown = document.title;')).toContain(`Cannot find name 'document'`);
    expect(usesIn('export const a: unknown = globalThis.process;')).toContain('typeof globalThis');
  });

  it('are rejected if they use a library feature newer than ES2022', () => {
    expect(usesIn('export const a: unknown = [1].toSorted();')).toContain('toSorted');
    expect(usesIn('export const a: unknown = Promise.withResolvers();')).toContain('withResolvers');
    expect(usesIn('export const a: RegExp = /a/v;')).toContain('TS1501');
  });

  it('may use the globals that all runtimes share', () => {
    expect(
      usesIn('export const a: unknown = [new AbortController().signal, setTimeout(() => {}, 1), performance.now()];'),
    ).toBe('');
  });
});
