import { describe, expect, it } from 'vitest';
import { allowAll, createDispatcher, createWorkspace, type AnyTool, type PermissionEngine } from '@haft/core';
import { createToolSearch } from '@haft/core/search';
import { builtinNames, createBuiltins } from './create-builtins.ts';
import { codeOf, createGround } from '../fixtures/create-ground.ts';
import { optionalTools } from './optional-tools.ts';
import { createReadTool } from '../tools/read/read-tool.ts';
import { createReadTracker } from '../files/read-tracker.ts';

const tools = new Map(createBuiltins().map((tool) => [tool.name, tool]));
const get = (name: string): AnyTool => tools.get(name)!;

describe('the built-in tools', () => {
  // For each tool: name, kind, read-only, parallelizable, requirements.
  it.each([
    ['read', 'read', true, true, 'filesystem'],
    ['ls', 'read', true, true, 'filesystem'],
    ['glob', 'read', true, true, 'filesystem'],
    ['grep', 'read', true, true, 'filesystem'],
    ['write', 'edit', false, false, 'filesystem'],
    ['edit', 'edit', false, false, 'filesystem'],
    ['multi_edit', 'edit', false, false, 'filesystem'],
    ['delete_range', 'edit', false, false, 'filesystem'],
    ['apply_patch', 'edit', false, false, 'filesystem'],
    ['bash', 'other', false, false, 'process'],
    ['bash_output', 'read', true, true, 'process'],
    ['stop_process', 'other', false, false, 'process'],
    ['list_processes', 'read', true, true, 'process'],
    ['web_fetch', 'read', true, true, 'network'],
  ] as const)(
    '%s has the kind %s, read-only %s, parallel %s, and requires %s (H9)',
    (name, kind, readOnly, parallelizable, needed) => {
      const tool = get(name);
      expect(tool).toMatchObject({
        kind,
        parallelizable,
        traits: { readOnly, destructive: !readOnly, requires: [needed] },
      });
    },
  );

  it.each([
    ['read', { path: 'a' }, ['file:/w/a'], []],
    ['read', { path: '../a/./b/' }, ['file:/a/b'], []],
    ['ls', {}, ['file:/w', 'file:/w/'], []],
    ['glob', { pattern: '*', path: 'src' }, ['file:/w/src', 'file:/w/src/'], []],
    ['grep', { pattern: 'x', path: '/' }, ['file:/'], []],
    ['write', { path: 'a', content: '' }, [], ['file:/w/a']],
    ['edit', { path: 'a', old_text: 'x', new_text: 'y' }, [], ['file:/w/a']],
    ['append', { path: 'a', content: 'x' }, [], ['file:/w/a']],
    ['multi_edit', { path: 'a', edits: [] }, [], ['file:/w/a']],
    ['delete_range', { path: './a', start_anchor: 'x', end_anchor: 'y' }, [], ['file:/w/a']],
    [
      'apply_patch',
      { patch: '*** Begin Patch\n*** Update File: a\n*** Move to: ../b\n*** Add File: c\n+x\n*** End Patch' },
      [],
      ['file:/w/a', 'file:/b', 'file:/w/c'],
    ],
    ['apply_patch', { patch: 'no patch' }, [], ['*']],
    ['bash', { command: 'ls' }, [], ['*']],
    ['bash_output', { id: 'p1' }, ['process:p1'], []],
    ['stop_process', { id: 'p1' }, [], ['process:p1']],
    ['list_processes', {}, ['process:'], []],
    ['todo', {}, [], ['todo:']],
    ['plan', {}, [], ['plan:']],
    ['web_fetch', { url: 'a.example/x' }, ['host:a.example'], []],
    ['web_fetch', { url: 'no url' }, [], []],
  ])('%s %j has the footprint %j and %j', (name, args, reads, writes) => {
    expect(get(name).footprint!(args, { cwd: '/w' })).toEqual({ reads, writes });
  });

  it('have closed input objects, a description and a title for every call', async () => {
    const samples: Record<string, unknown> = {
      read: { path: 'a.ts' },
      write: { path: 'a.ts', content: 'x' },
      append: { path: 'a.ts', content: 'x' },
      edit: { path: 'a.ts', old_text: 'x', new_text: 'y' },
      multi_edit: { path: 'a.ts', edits: [{ old_text: 'x', new_text: 'y' }] },
      delete_range: { path: 'a.ts', start_anchor: 'x', end_anchor: 'y' },
      apply_patch: { patch: '*** Begin Patch\n*** Delete File: a\n*** End Patch' },
      ls: {},
      glob: { pattern: '*.ts' },
      grep: { pattern: 'x' },
      bash: { command: 'make all\nmake test' },
      bash_output: { id: 'p1' },
      stop_process: { id: 'p1' },
      list_processes: {},
      todo: { todos: [] },
      plan: { content: 'a\nb' },
      web_fetch: { url: 'https://a.example/\nb' },
    };
    for (const tool of tools.values()) {
      expect(tool.input.jsonSchema).toMatchObject({ type: 'object', additionalProperties: false });
      await tool.input.ready();
      expect((await tool.input.validate({ ...(samples[tool.name] as object), surplus: 1 })).ok).toBe(false);
      expect((await tool.input.validate(samples[tool.name])).ok).toBe(true);
      expect(tool.description.length).toBeGreaterThan(50);
      expect(tool.initialTitle!(samples[tool.name]).split('\n')).toHaveLength(1);
      for (const [name, schema] of Object.entries(
        (tool.input.jsonSchema as { properties: Record<string, { description?: string }> }).properties,
      )) {
        expect([tool.name, name, schema.description]).toEqual([tool.name, name, expect.any(String)]);
      }
    }
  });

  it('have titles that describe the effect of a call', () => {
    expect(get('write').initialTitle!({ path: 'a', content: 'x' })).toBe('Write a (1 character)');
    expect(get('write').initialTitle!({ path: 'a', content: '' })).toBe('Write a (0 characters)');
    expect(get('bash').initialTitle!({ command: 'rm x', description: 'List' })).toBe('$ rm x (List)');
  });

  it('can be selected by name, in any order', () => {
    expect(createBuiltins({ include: ['grep', 'read'] }).map(({ name }) => name)).toEqual(['grep', 'read']);
    const needy = builtinNames.filter((name) => Object.hasOwn(optionalTools, name));
    expect(createBuiltins().map(({ name }) => name)).toEqual(builtinNames.filter((name) => !needy.includes(name)));
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      'an unknown tool',
      () => createBuiltins({ include: ['sudo' as never] }),
      /include\[0\] is not valid \(expected "read", "write", .* got "sudo"\)/,
    ],
    [
      'a name for a list',
      () => createBuiltins({ include: 'read' as never }),
      /include is not valid \(expected a list of names of tools, got "read"\)/,
    ],
    [
      'an unknown option',
      () => createBuiltins({ only: [] } as never),
      /only is not an option \(expected one of workspace, /,
    ],
    [
      'tools to leave out',
      () => createBuiltins({ exclude: ['bash'] } as never),
      /exclude is not an option \(to leave out a tool, list the others in include, or filter the result: createBuiltins\(\)\.filter/,
    ],
    [
      'a slip',
      () => createBuiltins({ workspaces: {} } as never),
      /workspaces is not an option \(did you mean workspace\?\)/,
    ],
    [
      'a folder for a workspace',
      () => createBuiltins({ workspace: '/w' as never }),
      /workspace is not valid \(expected a Workspace of createWorkspace\(\{ cwd \}\), got "\/w"\)/,
    ],
    [
      'null for a workspace',
      () => createReadTool({ workspace: null as never }),
      /createReadTool: workspace is not valid .* got null/,
    ],
    [
      'no tracker',
      () => createBuiltins({ readTracker: {} as never }),
      /readTracker is not valid \(expected a ReadTracker of createReadTracker\(\)/,
    ],
    [
      'an option of the whole',
      () => createReadTool({ include: [] } as never),
      /createReadTool: include is not an option/,
    ],
    ['null', () => createBuiltins(null as never), /its argument is not valid \(expected an object/],
    [
      'no limit',
      () => createReadTracker({ maxFiles: '9' as never }),
      /maxFiles is not valid \(expected a number from 0, got "9"\)/,
    ],
  ])('rejects %s', (_, make, message) => {
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ name: 'BuiltinsError', code: 'INVALID_OPTION' }));
  });

  it("are shown by their weight when a tool search can't show all of them", async () => {
    const source = createToolSearch(createDispatcher({ registry: createBuiltins(), permission: allowAll }));
    const shown = await source.visibleTo({ name: 'any' });
    expect(shown.names).toEqual(['edit', 'read', 'search_tools', 'write']);
  });

  it('are registered under the provider builtin, as an array or one by one', async () => {
    const asked: string[] = [];
    const permission: PermissionEngine = {
      ask: ({ provider }) => {
        asked.push(provider);
        return { action: 'allow' };
      },
    };
    const ground = createGround({ files: { 'a.txt': 'x' }, permission });
    await ground.call('read', { path: 'a.txt' });
    expect(asked).toEqual(['builtin']);
    expect(createBuiltins().map(({ provider }) => provider)).toEqual(createBuiltins().map(() => 'builtin'));
    ground.remove();
  });

  it('use the given workspace instead of that of the call', async () => {
    const other = createGround({ files: { 'here.txt': 'found' } });
    const ground = createGround();
    const [read] = createBuiltins({ include: ['read'], workspace: createWorkspace({ cwd: other.folder }) });
    expect(read!.footprint!({ path: 'here.txt' }, { cwd: ground.folder }).reads).toEqual([
      `file:${other.folder}/here.txt`,
    ]);
    ground.remove();
    other.remove();
  });

  // Argument names that models trained on other tool sets use.
  it.each([
    ['read', { filePath: 'a.txt' }],
    ['read', { file: 'a.txt', start_line: 1 }],
    ['read', { filename: 'a.txt', startLine: 1, limit: 1 }],
    ['ls', { dir: '.' }],
    ['ls', { directory: '.', show_hidden: true }],
    ['glob', { pattern: '*', root: '.' }],
    ['glob', { pattern: '*', cwd: '.', max_results: 5 }],
    ['grep', { query: 'x' }],
    ['grep', { regex: 'x', glob: '*.txt', case_insensitive: true, max_results: 5 }],
    ['write', { file_path: 'n1.txt', contents: 'x' }],
    ['write', { filename: 'n2.txt', text: 'x' }],
    ['write', { file: 'n3.txt', data: 'x' }],
    ['edit', { file_path: 'a.txt', old_str: 'one', new_str: 'two' }],
    ['edit', { path: 'a.txt', search: 'one', replace: 'two', replaceAll: true }],
    ['bash', { cmd: 'true' }],
    ['bash', { script: 'true' }],
    ['bash', { command: 'true', timeout_seconds: 5 }],
    ['bash', { command: 'true', timeoutSeconds: 0.5, background: true }],
  ])('%s accepts %j', async (name, args) => {
    const ground = createGround({ files: { 'a.txt': 'one x\n' } });
    expect(codeOf(await ground.call(name, args))).toBe('ok');
    ground.remove();
  });

  it('run in parallel if they only read, and in order if they change the same file', async () => {
    const ground = createGround({ files: { 'a.txt': '0' } });
    const calls = Array.from({ length: 10 }, (_, index) => ({
      id: `e${index}`,
      name: 'edit',
      arguments: { path: 'a.txt', old_text: String(index), new_text: String(index + 1) },
    }));
    const results = await ground.source.dispatchBatch([
      ...calls,
      { id: 'r', name: 'read', arguments: { path: 'a.txt' } },
    ]);
    expect(results.map(codeOf)).toEqual(Array.from({ length: 11 }, () => 'ok'));
    expect(results.at(-1)!.content).toEqual([{ type: 'text', text: '1→10' }]);
    ground.remove();
  });
});
