import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { success, type Message } from '@haft/core';
import { createStore, type Store } from '@haft/store';
import { describe, expect, it } from 'vitest';
import { createAgent, type Agent } from '../agent/create-agent.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { openSessions } from './open-sessions.ts';
import type { SessionStore } from './session-store.ts';

const agentOf = (answers: readonly string[], options: { readonly id?: string; readonly state?: unknown } = {}): Agent =>
  createAgent({ model: scriptedModel(answers), ...(options as object) });
const withMemory = async (use: (store: Store) => Promise<void>): Promise<void> => {
  const store = await createStore({ url: 'memory:' });
  try {
    await use(store);
  } finally {
    await store.close();
  }
};
const one = { content: 'a fact', createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };

describe('openSessions', () => {
  it('restores the history, tasks, plan and memories of a conversation after a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'haft-sessions-'));
    const url = `file:${join(folder, 'haft.db')}`;
    const first = await createStore({ url });
    const before = openSessions({ store: first, project: '/projects/a b' });
    const agent = agentOf(['Noted.'], { id: 'talk 1' });
    await agent.run('Remember the 4th.');
    agent.steer('and be quick', { source: 'person', trusted: true });
    await before.save(agent);
    await before.notes.todos.update('talk%201', () => ({ todos: [{ content: 'call', status: 'in_progress' }] }));
    await before.notes.plans.update('talk%201', () => ({ plan: 'slowly' }));
    await before.notes.memory.session.update('talk%201/m1', () => one);
    await before.notes.memory.project.update('m2', () => one);
    await first.close();

    const second = await createStore({ url });
    const after = openSessions({ store: second, project: '/projects/a b' });
    const state = await after.load('talk 1');
    const again = agentOf(['The 4th.'], { state });
    expect([again.id, again.messages]).toEqual(['talk 1', agent.messages]);
    const { messages } = await again.run('Which day?');
    expect(messages.map(({ content }) => content)).toEqual([
      'Remember the 4th.',
      'Noted.',
      'Which day?',
      'and be quick',
      'The 4th.',
    ]);
    expect((await after.notes.todos.get('talk%201'))?.value.todos).toEqual([
      { content: 'call', status: 'in_progress' },
    ]);
    expect((await after.notes.plans.get('talk%201'))?.value).toEqual({ plan: 'slowly' });
    expect((await after.notes.memory.session.list('talk%201/')).documents).toMatchObject([{ value: one }]);
    expect((await after.notes.memory.project.list()).documents).toMatchObject([{ key: 'm2', value: one }]);
    expect(await after.list()).toMatchObject([{ id: 'talk 1', messages: 2 }]);

    expect(await after.delete('talk 1')).toBe(true);
    expect(await after.load('talk 1')).toBeUndefined();
    expect(await after.notes.todos.get('talk%201')).toBeUndefined();
    expect((await after.notes.memory.session.list()).documents).toEqual([]);
    expect((await after.notes.memory.project.list()).documents).toHaveLength(1);
    await second.close();
    await rm(folder, { recursive: true });
  });

  it('separates projects', () =>
    withMemory(async (store) => {
      const [here, there] = ['here', 'there'].map((project) => openSessions({ store, project }));
      await here!.save(agentOf([], { id: 'x' }));
      await here!.notes.memory.project.update('m1', () => one);
      // Two projects may use the same session ID.
      await here!.notes.todos.update('x', () => ({ todos: [] }));
      await here!.notes.plans.update('x', () => ({ plan: 'slowly' }));
      await here!.notes.memory.session.update('x/m2', () => one);
      expect(await there!.notes.todos.get('x')).toBeUndefined();
      expect(await there!.notes.plans.get('x')).toBeUndefined();
      expect(await there!.delete('x')).toBe(false);
      expect((await here!.notes.plans.get('x'))?.key).toBe('x');
      expect((await here!.notes.memory.session.list('x/')).documents).toMatchObject([{ key: 'x/m2' }]);
      expect(await there!.load('x')).toBeUndefined();
      expect(await there!.list()).toEqual([]);
      expect(await there!.notes.memory.project.get('m1')).toBeUndefined();
      expect((await here!.notes.memory.project.get('m1'))?.key).toBe('m1');
    }));

  it('writes only new messages, and deletes those no longer part of the conversation', () =>
    withMemory(async (store) => {
      let writes: readonly { readonly kind: string }[] = [];
      const batch: SessionStore['batch'] = (given) => {
        writes = given;
        return store.batch(given);
      };
      const collection = store.collection.bind(store) as SessionStore['collection'];
      const sessions = openSessions({ store: { collection, batch } });
      const agent = agentOf(['one', 'two'], { id: 'x' });
      await agent.run('first');
      await sessions.save(agent);
      await agent.run('second');
      await sessions.save(agent);
      expect(writes.map(({ kind }) => kind)).toEqual(['set', 'set', 'set']);
      agent.replaceMessages([{ role: 'user', content: 'all of it, in short' }]);
      await sessions.save(agent);
      expect(writes.map(({ kind }) => kind)).toEqual(['set', 'set', 'delete', 'delete', 'delete', 'delete']);
      expect((await sessions.load('x'))?.messages).toEqual([{ role: 'user', content: 'all of it, in short' }]);
    }));

  it('stores messages larger than a document, and lone surrogates in them', () =>
    withMemory(async (store) => {
      const sessions = openSessions({ store });
      const agent = agentOf([], { id: 'x' });
      const content = `${'é\ud83d'.repeat(400_000)}\u0000`;
      const messages: readonly Message[] = [
        { role: 'user', content },
        { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'see', arguments: {} }] },
        {
          role: 'tool',
          callId: 'c',
          name: 'see',
          isError: false,
          content: success('c', { type: 'image', data: new Uint8Array([1, 2]), mediaType: 'image/png' }).content,
        },
      ];
      agent.replaceMessages(messages);
      await sessions.save(agent);
      expect(agentOf([], { state: await sessions.load('x') }).messages).toEqual(messages);
    }));

  it('loses nothing when two processes save one session, and reports a missing message', () =>
    withMemory(async (store) => {
      const sessions = openSessions({ store });
      const [a, b] = ['a', 'b'].map((content) => {
        const agent = agentOf([], { id: 'x' });
        agent.replaceMessages([
          { role: 'user', content },
          { role: 'user', content: 'same' },
        ]);
        return agent;
      });
      await Promise.all([sessions.save(a!), sessions.save(b!), sessions.save(a!)]);
      expect((await sessions.load('x'))?.messages).toHaveLength(2);
      const chunks = store.collection('sessions/chunks', (value) => value);
      for (const { key } of (await chunks.list()).documents) await chunks.delete(key);
      await expect(sessions.load('x')).rejects.toMatchObject({
        code: 'SESSION_DAMAGED',
        message: 'session x: message 0 is missing',
      });
      const contested: SessionStore = {
        collection: store.collection.bind(store) as SessionStore['collection'],
        batch: () => Promise.resolve({ ok: false } as never),
      };
      await expect(openSessions({ store: contested }).save(a!)).rejects.toMatchObject({ code: 'SESSION_CONFLICT' });
      expect(() => openSessions({} as never)).toThrow(
        'openSessions: store is missing (expected a store that createStore()',
      );
      await expect(sessions.load('x'.repeat(400))).rejects.toThrow('at most 300 characters');
    }));
});
