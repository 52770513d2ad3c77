/** A short program that a new user might write. Compiled and run against the packed packages. */
export const consumerProgram: string = `import { allowAll, createDispatcher, createWorkspace, defineTool, renderForModel } from '@haft/core';
import { createBuiltins, createLocalSearch, createMemoryDocuments, loadSkills } from '@haft/builtins';
import { createStore } from '@haft/store';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';

const add = defineTool({
  name: 'add', description: 'Adds two numbers.', kind: 'read', input: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => String(a + b),
});
const { dispatch } = createDispatcher({ registry: [add] });
const result = await dispatch({ id: 'call_1', name: 'add', arguments: "{a: 2, 'b': 3,}" });
if (renderForModel(result) !== '5') throw new Error(JSON.stringify(result));

// The embedded database comes with binaries of its own.
const store = await createStore({ url: 'file:sums.db' });
const sums = store.collection('sums', z.object({ text: z.string() }));
await sums.set('call_1', { text: renderForModel(result) });
if ((await sums.get('call_1'))?.value.text !== '5') throw new Error('the store has forgotten');
await store.close();

// All built-in tools at work in a folder.
await mkdir('work/skills/brew', { recursive: true });
await writeFile('work/skills/brew/SKILL.md', '---\\nname: brew\\ndescription: How tea is made.\\n---\\nBoil water.\\n');
await writeFile('work/dot.gif', Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64'));
const cwd = process.cwd() + '/work';
const tools = createDispatcher({
  registry: createBuiltins({
    search: createLocalSearch([{ title: 'Tea', url: 'https://a.example/', snippet: 'All about tea' }]),
    memory: { session: createMemoryDocuments() },
    skills: await loadSkills({ directories: [cwd + '/skills'] }),
    ask: async () => ({ kind: 'unavailable' }),
  }),
  workspace: createWorkspace({ cwd, permission: allowAll }),
});
let calls = 0;
const expectOf = async (name: string, args: object, expected: RegExp): Promise<void> => {
  const said = renderForModel(await tools.dispatch({ id: 'builtin_' + calls++, name, arguments: args }));
  if (!expected.test(said)) throw new Error(name + ': ' + said);
};
await expectOf('write', { path: 'a.txt', content: 'one\\ntwo\\n' }, /a\\.txt/);
await expectOf('edit', { path: 'a.txt', old_text: 'two', new_text: '2' }, /a\\.txt/);
await expectOf('grep', { pattern: '^2' }, /a\\.txt/);
await expectOf('bash', { command: 'echo hello' }, /hello/);
await expectOf('read', { path: 'dot.gif' }, /image\\/gif, 1×1/);
await expectOf('web_search', { query: 'tea' }, /https:\\/\\/a\\.example\\//);
await expectOf('web_fetch', { url: 'http://127.0.0.1:9/' }, /PERMISSION_DENIED/);
await expectOf('todo', { todos: [{ content: 'tea' }] }, /1\\. \\[ \\] tea/);
await expectOf('plan', { content: 'Boil water.' }, /stored/);
await expectOf('question', { question: 'Milk?' }, /The user can't be asked/);
await expectOf('remember', { content: 'No milk.' }, /Remembered/);
await expectOf('recall', { query: 'milk' }, /No milk/);
await expectOf('skill', { name: 'brew' }, /Boil water/);
if ((await readFile('work/a.txt', 'utf8')) !== 'one\\n2\\n') throw new Error('the edit went wrong');
`;
