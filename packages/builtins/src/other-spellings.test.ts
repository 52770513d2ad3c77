import { afterEach, describe, expect, it } from 'vitest';
import { createBuiltins } from './create/create-builtins.ts';
import { codeOf, createGround, type Ground } from './fixtures/create-ground.ts';

let ground: Ground;
afterEach(() => ground.remove());

const patch = '*** Begin Patch\n*** Update File: a.txt\n@@\n-one x\n+1\n*** End Patch';

/** A call of a tool, and for each argument the names that other tool sets use for it. */
const table: readonly (readonly [
  string,
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, readonly string[]>>,
])[] = [
  [
    'read',
    { path: 'a.txt', offset: 1, limit: 2 },
    { path: ['file', 'file_path', 'filePath', 'filename'], offset: ['start_line', 'startLine'], limit: ['max_lines'] },
  ],
  ['read', { path: 'a.txt', offset: 2, end_line: 3 }, { offset: ['start_line', 'startLine'], end_line: ['endLine'] }],
  [
    'write',
    { path: 'new.txt', content: 'x' },
    { path: ['file_path', 'filename'], content: ['contents', 'text', 'data'] },
  ],
  ['append', { path: 'a.txt', content: 'x' }, { path: ['file_path'], content: ['contents', 'text', 'data'] }],
  [
    'edit',
    { path: 'a.txt', old_text: 'one', new_text: '1', replace_all: true },
    {
      path: ['file_path', 'filePath', 'file', 'filename'],
      old_text: ['old_string', 'oldString', 'old_str', 'oldText', 'search'],
      new_text: ['new_string', 'newString', 'new_str', 'newText', 'replace'],
      replace_all: ['replaceAll', 'allow_multiple'],
    },
  ],
  [
    'delete_range',
    { path: 'a.txt', start_anchor: 'one x', end_anchor: 'three' },
    { start_anchor: ['startAnchor'], end_anchor: ['endAnchor'] },
  ],
  ['apply_patch', { patch }, { patch: ['input', 'diff'] }],
  ['ls', { path: '.', all: true }, { path: ['dir', 'directory'], all: ['show_hidden'] }],
  ['glob', { pattern: '*', path: '.', limit: 5 }, { path: ['cwd', 'root', 'directory'], limit: ['max_results'] }],
  [
    'grep',
    { pattern: 'one', path: '.', include: '*.txt', ignore_case: true, limit: 5 },
    {
      pattern: ['query', 'regex'],
      path: ['directory'],
      include: ['glob'],
      ignore_case: ['case_insensitive'],
      limit: ['max_results'],
    },
  ],
  ['bash', { command: 'true' }, { command: ['cmd', 'script'] }],
];

const spellings = table.flatMap(([tool, args, others]) =>
  Object.entries(others).flatMap(([name, aliases]) => aliases.map((alias) => ({ tool, args, name, alias }))),
);

async function callIn(
  name: string,
  args: unknown,
): Promise<{ readonly code: string; readonly text: string; readonly said: unknown }> {
  ground = createGround({ files: { 'a.txt': 'one x\ntwo\nthree\n' } });
  await ground.call('read', { path: 'a.txt' });
  const result = await ground.call(name, args);
  const text = `${ground.text('a.txt')}|${ground.has('new.txt') ? ground.text('new.txt') : ''}`;
  return { code: codeOf(result), text, said: result.summary ?? result.content };
}

describe('argument names of other tool sets', () => {
  it.each(spellings)('$tool accepts $alias for $name', async ({ tool, args, name, alias }) => {
    const meant = await callIn(tool, args);
    expect(meant.code).toBe('ok');
    ground.remove();
    const { [name]: value, ...rest } = args;
    const spelled = await callIn(tool, { ...rest, [alias]: value });
    // Removes times and process ids, which differ from call to call.
    expect({ ...spelled, said: tool === 'bash' ? '' : spelled.said }).toEqual({
      ...meant,
      said: tool === 'bash' ? '' : meant.said,
    });
  });

  it.each(spellings.filter(({ tool }) => tool === 'edit').filter(({ name }) => name !== 'path'))(
    'multi_edit accepts $alias for $name inside every edit',
    async ({ args, name, alias }) => {
      const { path, ...edit } = args;
      const { [name]: value, ...rest } = edit;
      const spelled = await callIn('multi_edit', { path, edits: [{ ...rest, [alias]: value }] });
      expect([spelled.code, spelled.text]).toEqual(['ok', '1 x\ntwo\nthree\n|']);
    },
  );

  it('stand for existing arguments with the same meaning', () => {
    ground = createGround();
    const tools = new Map(createBuiltins().map((tool) => [tool.name, tool]));
    for (const { tool, name, alias } of spellings) {
      const { properties } = tools.get(tool)!.input.jsonSchema as { readonly properties: object };
      expect([tool, name, Object.keys(properties).includes(name)]).toEqual([tool, name, true]);
      expect([tool, alias, Object.keys(properties).includes(alias)]).toEqual([tool, alias, false]);
    }
  });

  it('are rejected if their unit or their meaning would have to be guessed', async () => {
    const both = await callIn('edit', { path: 'a.txt', old_string: 'one', search: 'two', new_text: 'x' });
    expect([both.code, both.text]).toEqual(['INVALID_ARGS', 'one x\ntwo\nthree\n|']);
    ground.remove();
    expect((await callIn('bash', { command: 'true', timeout: 5 })).code).toBe('INVALID_ARGS');
  });
});
