import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createStore } from '@haft/store';
import { codeOf, createGround, type Ground } from '../../fixtures/create-ground.ts';
import { createTodoStore, type Todo, type TodoStore } from '../../notes/todo-store.ts';

const open = (todos?: TodoStore): Ground => createGround(todos ? { builtins: { todos } } : {});

describe('todo', () => {
  it('stores a list and shows it with numbers', async () => {
    const ground = open();
    const list = [
      { content: 'look', status: 'completed' },
      { content: 'write\n it', status: 'in_progress' },
      { content: 'test' },
    ];
    const written = '1. [x] look\n2. [>] write it (in progress)\n3. [ ] test';
    const result = await ground.call('todo', { todos: list });
    expect(result.summary).toBe('Kept: 3 tasks, 1 done');
    expect(result.structured).toEqual([list[0], list[1], { content: 'test', status: 'pending' }]);
    expect(await ground.say('todo', {})).toBe(written);
    expect(
      await ground.say('todo', {
        changes: [
          { number: 2, status: 'completed' },
          { number: 3, status: 'in_progress', content: 'prove' },
        ],
      }),
    ).toBe('1. [x] look\n2. [x] write it\n3. [>] prove (in progress)');
    expect(await ground.say('todo', { todos: [] })).toBe('The list of tasks is empty.');
    ground.remove();
  });

  it('keeps separate lists for each session', async () => {
    const ground = open();
    await ground.call('todo', { todos: [{ content: 'mine' }] }, { sessionId: 'a' });
    expect(await ground.say('todo', {}, { sessionId: 'b' })).toBe('The list of tasks is empty.');
    expect(await ground.say('todo', {}, { sessionId: 'a' })).toContain('mine');
    ground.remove();
  });

  it('warns if several tasks or no task is in progress', async () => {
    const ground = open();
    const running = { content: 'a', status: 'in_progress' };
    expect(await ground.say('todo', { todos: [running, running] })).toContain(
      'Note: 2 tasks are in progress; work on one at a time.',
    );
    expect(await ground.say('todo', { todos: [{ content: 'a' }] })).toContain('Note: no task is in progress');
    expect(await ground.say('todo', { todos: [{ content: 'a', status: 'blocked' }] })).toBe('1. [!] a (blocked)');
    ground.remove();
  });

  it('changes nothing if one of the tasks does not exist, and names the missing tasks', async () => {
    const ground = open();
    await ground.call('todo', { todos: [{ content: 'a' }] });
    const result = await ground.call('todo', {
      changes: [
        { number: 1, status: 'completed' },
        { number: 2, status: 'completed' },
      ],
    });
    expect(codeOf(result)).toBe('NOT_FOUND');
    expect(await ground.say('todo', { changes: [{ number: 9 }] })).toContain('Use a number from 1 to 1:\n1. [ ] a');
    expect(await ground.say('todo', {})).toContain('1. [ ] a');
    ground.remove();
  });

  it('accepts the formats of other tool sets and rejects anything except a list of tasks', async () => {
    const ground = open();
    expect(codeOf(await ground.call('todo', { items: [{ task: 'a', status: 'PENDING' }] }))).toBe('ok');
    expect(codeOf(await ground.call('todo', { steps: [{ step: 'a' }] }))).toBe('ok');
    expect(codeOf(await ground.call('todo', { updates: [{ id: 1, status: 'completed' }] }))).toBe('ok');
    for (const todos of [
      [{ content: ' ' }],
      [{ content: 'x'.repeat(501) }],
      [{ content: 'a', status: 'done' }],
      Array.from({ length: 101 }, () => ({ content: 'a' })),
    ])
      expect(codeOf(await ground.call('todo', { todos }))).toBe('INVALID_ARGS');
    ground.remove();
  });

  it('notifies the program of every change, even if its listener fails', async () => {
    const changes: unknown[] = [];
    const todoStore = createTodoStore({
      onChange(sessionId, todos) {
        changes.push([sessionId, todos.length]);
        throw new Error('ignored');
      },
    });
    const ground = open(todoStore);
    expect(codeOf(await ground.call('todo', { todos: [{ content: 'a' }] }, { sessionId: 's' }))).toBe('ok');
    expect(changes).toEqual([['s', 1]]);
    expect(await todoStore.list('s')).toEqual([{ content: 'a', status: 'pending' }]);
    ground.remove();
  });

  it('persists in a store without losing changes', async () => {
    const store = await createStore({ url: 'memory:' });
    const documents = store.collection('todos', z.object({ todos: z.array(z.custom<Todo>()).readonly() }));
    const todoStore = createTodoStore({ documents });
    const ground = open(todoStore);
    await ground.call(
      'todo',
      { todos: Array.from({ length: 20 }, () => ({ content: 'a' })) },
      { sessionId: 'a/b\u0000' },
    );
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        todoStore.update('a/b\u0000', (todos) =>
          todos.map((todo, at) => (at === index ? { ...todo, status: 'completed' } : todo)),
        ),
      ),
    );
    expect((await createTodoStore({ documents }).list('a/b\u0000')).every(({ status }) => status === 'completed')).toBe(
      true,
    );
    await store.close();
    ground.remove();
  });

  it('rejects anything except a store', () => {
    expect(() => createGround({ builtins: { todos: {} as never } })).toThrow(
      /todos is not valid \(expected a TodoStore of createTodoStore/,
    );
    expect(() => createTodoStore({ documents: {} as never })).toThrow(/documents is not valid \(expected a Collection/);
    expect(() => createTodoStore({ store: {} } as never)).toThrow(/store is not an option/);
  });
});
