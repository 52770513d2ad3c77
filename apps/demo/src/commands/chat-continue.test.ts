import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LoopbackReply } from '../testing/loopback-model-server.ts';
import { converse, type ConversationResult } from '../testing/converse.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

const call = (name: string, args: object): LoopbackReply => ({ calls: [{ name, arguments: JSON.stringify(args) }] });
const words: LoopbackReply = { text: 'Noted.' };
const said = ({ requests }: ConversationResult): string => JSON.stringify(requests.at(-1)!['messages']);

test('chat --continue continues the last conversation of the folder with its messages, tasks and memories', async () => {
  const state = await createTemporaryFolder(onTestFinished);
  const [cwd, elsewhere] = [await createTemporaryFolder(onTestFinished), await createTemporaryFolder(onTestFinished)];
  const todos = [{ content: 'paint the fence', status: 'in_progress' }];
  const beginning = [
    call('todo', { todos }),
    call('remember', { content: 'the gate is green', scope: 'session' }),
    call('remember', { content: 'the house is red', scope: 'project' }),
    words,
  ];
  await converse(cwd, beginning, ['a long story about a garden'], { state });
  const asks = [call('todo', {}), call('recall', { query: 'gate house' }), words];

  const again = await converse(cwd, asks, ['what is left?'], { state, flags: ['continue'] });
  expect(said(again)).toMatch(/a long story about a garden.*what is left\?.*\[>\] paint the fence/);
  expect(said(again)).toContain('the gate is green');
  expect(said(again)).toContain('the house is red');
  expect(again.notes).toEqual([]);

  const anew = await converse(cwd, asks, ['what is left?'], { state });
  expect(said(anew)).not.toMatch(/garden|fence|gate is green/);
  expect(said(anew)).toContain('the house is red');

  await expect(converse(elsewhere, [], ['hm'], { state, flags: ['continue'] })).rejects.toThrow(
    '--continue: no conversation is stored for this folder',
  );
  for (const name of readdirSync(join(state, 'haft')).filter((each) => each.startsWith('conversations')))
    expect(statSync(join(state, 'haft', name)).mode & 0o077, name).toBe(0);
});

test('chat --continue works in a folder with a long name', async () => {
  const state = await createTemporaryFolder(onTestFinished);
  const cwd = join(await createTemporaryFolder(onTestFinished), '庭'.repeat(40));
  mkdirSync(cwd);
  const { notes } = await converse(cwd, [words], ['hello'], { state });
  expect(notes).toEqual([]);
  expect(said(await converse(cwd, [words], ['and now?'], { state, flags: ['continue'] }))).toContain('hello');
});

test('chat works, and says so, if nothing can be stored', async () => {
  const cwd = await createTemporaryFolder(onTestFinished);
  const { notes, asked } = await converse(cwd, [words], ['hello'], { state: cwd });
  expect(notes).toContainEqual(expect.stringMatching(/^haft: this conversation is not stored: .*inside this folder/));
  expect(asked).toEqual(['hello']);
});
