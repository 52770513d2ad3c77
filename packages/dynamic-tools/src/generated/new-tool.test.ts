import { join } from 'node:path';
import { readdir } from 'node:fs/promises';
import { defineTool } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { greeting, openWorkbench, type Workbench } from '../fixtures/workbench.ts';

let workbench: Workbench;
beforeEach(async () => {
  workbench = await openWorkbench();
  await workbench.generated.start();
});

afterEach(() => workbench.end());

describe('generated tool', { timeout: 60_000 }, () => {
  it('is tried, stored, and callable', async () => {
    expect(await workbench.text('new_tool', greeting('Hello'))).toBe(
      'greet (version 1) can be called now. 1 of 1 tests passed. Its types were not checked: the program does not use jails.',
    );
    expect(workbench.registry.providerFor('greet')).toBe('dynamic/generated');
    expect(await workbench.text('greet', { who: 'Bo' })).toBe('Hello Bo');
    expect((await workbench.catalog.entry('greet'))?.entry).toMatchObject({ name: 'greet', version: 1 });
    expect(workbench.events.map(({ type }) => type)).toContain('tool-added');
  });

  it.each([
    ['does not parse', { body: 'return (;' }, 'line 1: syntax error'],
    ['closes its function', { body: '}\nexport const x = 1;\nasync function y() {' }, 'closes its own function'],
    ['closes its function', { body: '}\nasync function y() {' }, 'closes its own function'],
    ['imports what it may not', { body: 'const fs = await import("node:fs");' }, 'it imports "node:fs"'],
    [
      'fails its test',
      { tests: [{ arguments: { who: 'Ann' }, expected: 'Bye' }] },
      '$.tests[0]: expected "Bye", got "Hello Ann"',
    ],
    ['throws in its test', { body: 'throw new Error("no " + args.who);' }, '$.tests[0]: '],
    [
      'takes no object',
      { body: 'return 1;', fields: undefined, input: { type: 'nonsense' } },
      'the arguments must be an object',
    ],
    ['has a name that is invalid', { name: 'Greet!' }, '$.name'],
    ['imports a package', { imports: [{ from: 'left-pad', as: 'pad' }] }, '"left-pad" can\'t be imported'],
    ['imports under a taken name', { imports: [{ from: 'node:path', as: 'run' }] }, '"run" is not a valid import name'],
    [
      'imports a statement',
      { imports: [{ from: 'node:path', names: ['join } from "x"; evil(); import { y'] }] },
      'is not a valid import name',
    ],
  ])('is put into quarantine when it %s', async (_, more, reason) => {
    const text = await workbench.text('new_tool', greeting('Hello', more));
    expect(text).toContain('Error INVALID_ARGS');
    expect(text).toContain(reason);
    expect(text).not.toContain(workbench.directory);
    expect(workbench.registry.has('greet')).toBe(false);
    expect(await workbench.catalog.entry('greet')).toBeUndefined();
  });

  it('reports why it is in quarantine, and leaves quarantine when it passes', async () => {
    await workbench.call('new_tool', greeting('Hello', { body: 'return 5;' }));
    expect(await workbench.text('list_tools')).toContain('greet failed its trial');
    const source = await workbench.text('read_tool_source', { name: 'greet', quarantined: true });
    expect(source).toContain('return 5;');
    expect(source).toContain('It failed:');
    await workbench.call('new_tool', greeting('Hello'));
    expect(await workbench.text('list_tools')).not.toContain('quarantine');
    expect((await workbench.catalog.quarantined()).found).toEqual([]);
  });

  it('is stored only after the user has seen its source', async () => {
    workbench.deny = 'Keep the tool';
    expect(await workbench.text('new_tool', greeting('Hello'))).toContain('Error PERMISSION_DENIED');
    expect(workbench.registry.has('greet')).toBe(false);
    const question = workbench.asked.find(({ title }) => title === 'Keep the tool greet');
    expect(question?.arguments).toMatchObject({ name: 'greet', passed: 1, types: 'skipped' });
    expect(question?.arguments).toHaveProperty('diff', expect.stringContaining(`+return "Hello" + ' ' + args.who;`));
  });

  it('shows the difference when it replaces another tool', async () => {
    await workbench.call('new_tool', greeting('Hello'));
    expect(await workbench.text('new_tool', greeting('Bye'))).toContain('Error ALREADY_EXISTS');
    workbench.asked.length = 0;
    const result = await workbench.call('new_tool', greeting('Bye', { replace: true }));
    expect(result.diff?.patch).toContain('-return "Hello"');
    const question = workbench.asked.find(({ title }) => title === 'Replace version 1 of the tool greet');
    expect(question?.arguments).toHaveProperty('diff', expect.stringContaining('+return "Bye"'));
    expect(await workbench.text('greet', { who: 'Bo' })).toBe('Bye Bo');
  });

  it('asks for each capability, and gets none if one is denied', async () => {
    const wants = greeting('Hello', {
      capabilities: { fs: { read: ['data'] }, hosts: ['example.com'], env: ['HOME'] },
      tests: [],
    });
    workbench.deny = 'use the network';
    expect(await workbench.text('new_tool', wants)).toContain('Error PERMISSION_DENIED');
    expect(workbench.registry.has('greet')).toBe(false);
    const titles = workbench.asked.map(({ title }) => title);
    expect(titles).toContain(`Let the tool greet read ${join(workbench.directory, 'data')}`);
    expect(titles).toContain('Let the tool greet use the network, for example.com');
    expect(workbench.asked.find(({ title }) => title.includes('greet read'))?.footprint.reads).toEqual([
      `file:${join(workbench.directory, 'data')}`,
    ]);
    workbench.deny = undefined;
    expect((await workbench.call('new_tool', wants)).ok).toBe(true);
    expect(workbench.asked.map(({ title }) => title)).toContain(
      'Let the tool greet read the environment variable HOME',
    );
  });

  it('runs its tests with the granted capabilities', async () => {
    const result = await workbench.call('new_tool', {
      name: 'read_own',
      description: 'Reads.',
      fields: [{ name: 'path', type: 'string' }],
      imports: [{ from: 'node:fs/promises', names: ['readdir'] }],
      capabilities: { fs: { read: [workbench.directory] } },
      body: 'return (await readdir(args.path)).length > 0;',
      tests: [
        { arguments: { path: workbench.directory }, expected: true },
        { arguments: { path: '/etc' }, expected: true },
      ],
    });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ARGS', details: { faults: [{ path: '$.tests[1]' }] } },
    });
    expect(workbench.registry.has('read_own')).toBe(false);
  });

  it('counts as unrestricted until its first use is allowed', async () => {
    await workbench.call('new_tool', greeting('Hello'));
    expect(workbench.registry.get('greet')?.traits).toMatchObject({ readOnly: false, pure: false });
    workbench.deny = 'First use';
    expect(await workbench.text('greet', { who: 'Bo' })).toContain('Error PERMISSION_DENIED');
    expect((await workbench.catalog.entry('greet'))?.entry.versions[0]?.isTried).toBe(false);
    workbench.deny = undefined;
    expect(await workbench.text('greet', { who: 'Bo' })).toBe('Hello Bo');
    for (
      ;
      (await workbench.catalog.entry('greet'))?.entry.versions[0]?.isTried !== true;
      await new Promise(setImmediate)
    );
    await workbench.generated.restore();
    workbench.asked.length = 0;
    await workbench.call('greet', { who: 'Bo' });
    expect(workbench.asked.map(({ title }) => title)).not.toContain('First use of greet, a tool written by the model');
  });

  it('is not used for the first time by a call that was meant for the previous version', async () => {
    await workbench.call('new_tool', greeting('Hello'));
    await workbench.call('greet', { who: 'Bo' });
    const snapshot = workbench.registry.snapshot();
    await workbench.call('new_tool', greeting('Bye', { replace: true }));
    const result = await workbench.call('greet', { who: 'Bo' }, { snapshot });
    expect(result).toMatchObject({ ok: false, error: { code: 'TOOL_UNAVAILABLE' } });
    expect((await workbench.catalog.entry('greet'))?.entry.versions[1]?.isTried).toBe(false);
  });

  it.each(['new_tool', 'list_tools', 'unregister_tool', 'taken'])("can't be called %s", async (name) => {
    workbench.registry.register(
      eraseTool(
        defineTool({ name: 'taken', description: 'Is there.', input: { type: 'object' }, execute: () => 'builtin' }),
      ),
    );
    const text = await workbench.text('new_tool', { ...greeting('Hello'), name });
    expect(text).toContain('Error ALREADY_EXISTS');
    expect(text).toContain(
      name === 'taken' ? 'belongs to a tool of the program' : 'belongs to a tool that manages other tools',
    );
  });

  it('keeps only the served versions in its folder', async () => {
    await workbench.call('new_tool', greeting('Hello'));
    await workbench.call('new_tool', greeting('Bye', { replace: true }));
    await workbench.call('new_tool', greeting('Oops', { replace: true, body: 'return 1;' }));
    await workbench.generated.restore();
    const names = await readdir(workbench.directory);
    expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
    expect(names.filter((name) => name.startsWith('greet-2-'))).toHaveLength(1);
  });
});

describe('types of a generated tool', { timeout: 60_000 }, () => {
  it('support imports, JSON Schema, output and several field types', async () => {
    const checked = await openWorkbench({ typeCheck: true });
    await checked.generated.start();
    const made = await checked.call('new_tool', {
      name: 'join_all',
      description: 'Joins.',
      fields: [
        { name: 'parts', type: 'string[]' },
        { name: 'mode', type: 'string', values: ['up', 'down'], required: false },
      ],
      output: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      imports: [
        { from: 'node:path', names: ['join'] },
        { from: 'node:util', as: 'util' },
      ],
      body: 'const path: string = join(...args.parts);\nreturn { path: args.mode === "up" ? path.toUpperCase() : util.format(path) };',
      tests: [
        { arguments: { parts: ['a', 'b'] }, expected: { path: 'a/b' } },
        { arguments: { parts: ['a'], mode: 'up' }, expected: { path: 'A' } },
      ],
    });
    expect(made).toMatchObject({ ok: true, structured: { report: { types: { state: 'passed' } } } });
    await checked.end();
  });

  it('are reported with position and reason when they are wrong', async () => {
    const checked = await openWorkbench({ typeCheck: true });
    await checked.generated.start();
    const args = greeting('Hello', { body: 'const n: number = args.who;\nreturn n;' });
    const result = await checked.call('new_tool', args);
    expect(result).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS', fault: 'model' } });
    expect(await checked.text('new_tool', args)).toContain(
      "$.body: line 1: Type 'string' is not assignable to type 'number'. (TS2322)",
    );
    expect(checked.registry.has('greet')).toBe(false);
    await checked.end();
  });
});

describe('lifecycle tools of generated tools', { timeout: 60_000 }, () => {
  it('remove a tool, keep its source, and restore it', async () => {
    await workbench.call('new_tool', greeting('Hello'));
    expect((await workbench.call('unregister_tool', { name: 'greet' })).ok).toBe(true);
    expect(workbench.registry.has('greet')).toBe(false);
    expect(await workbench.text('list_tools')).toBe('greet was removed; restore it with rollback_tool');
    expect(await workbench.text('read_tool_source', { name: 'greet' })).toContain('return "Hello"');
    expect(await workbench.text('rollback_tool', { name: 'greet' })).toContain('can be called again');
    expect(await workbench.text('greet', { who: 'Bo' })).toBe('Hello Bo');
  });

  it('return to an earlier version in one call, and forward again', async () => {
    await workbench.call('new_tool', greeting('Hello'));
    await workbench.call('new_tool', greeting('Bye', { replace: true }));
    expect(await workbench.text('rollback_tool', { name: 'greet' })).toBe('greet is at version 1 now.');
    expect(await workbench.text('greet', { who: 'Bo' })).toBe('Hello Bo');
    expect(await workbench.text('rollback_tool', { name: 'greet', version: 2 })).toBe('greet is at version 2 now.');
    expect(await workbench.text('greet', { who: 'Bo' })).toBe('Bye Bo');
    expect(await workbench.text('rollback_tool', { name: 'greet', version: 9 })).toContain('Versions: 1, 2.');
    await workbench.call('unregister_tool', { name: 'greet' });
    await workbench.call('new_tool', greeting('Hi'));
    expect((await workbench.catalog.entry('greet'))?.entry.versions.map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  it('refuse tools that new_tool did not create', async () => {
    workbench.registry.register(
      eraseTool(
        defineTool({ name: 'own', description: 'Is there.', input: { type: 'object' }, execute: () => 'builtin' }),
      ),
    );
    expect(await workbench.text('unregister_tool', { name: 'own' })).toContain(
      "it belongs to a tool of the program and can't be changed",
    );
    expect(await workbench.text('unregister_tool', { name: 'new_tool' })).toContain(
      'it belongs to a tool that manages other tools',
    );
    expect(await workbench.text('unregister_tool', { name: 'nothing' })).toContain('Error NOT_FOUND');
    expect(await workbench.text('own')).toBe('builtin');
  });

  it('run the stored tests of a tool, or given ones', async () => {
    await workbench.call('new_tool', greeting('Hello'));
    expect(await workbench.text('test_tool', { name: 'greet' })).toBe('1 of 1 tests passed.');
    const others = [{ arguments: { who: 'Bo' }, expected: 'Bye Bo' }, { arguments: {} }];
    const text = await workbench.text('test_tool', { name: 'greet', tests: others });
    expect(text).toContain('0 of 2 tests passed.');
    expect(text).toContain('test 0: expected "Bye Bo", got "Hello Bo"');
    expect(text).toContain('test 1: Error INVALID_ARGS');
  });

  it('list the tools that were added at run time', async () => {
    await workbench.call('new_tool', greeting('Hello'));
    expect(await workbench.text('list_tools')).toBe('greet (dynamic/generated, version 1): Greets somebody.');
    expect(await workbench.text('list_tools', { provider: 'lifecycle' })).toContain(
      'new_tool (lifecycle): Creates a tool',
    );
  });
});
