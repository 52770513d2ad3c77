import { failure, success, toolError, type AnyTool, type ToolResult } from '@haft/core';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { defineBuiltin, type BuiltinCall } from '../../definition/define-builtin.ts';
import { count } from '../../count.ts';
import { keepsNotes } from '../../definition/tool-traits.ts';
import { createTodoStore, type Todo, type TodoStore, type TodoStatus } from '../../notes/todo-store.ts';

const maxTodos = 100;
const maxTodoLength = 500;

const status = z.enum(['pending', 'in_progress', 'completed', 'cancelled', 'blocked']);
const content = z.string().trim().min(1).max(maxTodoLength);

const input = z.strictObject({
  todos: z
    .array(
      z.strictObject({
        content: content.describe('What to do.'),
        status: status.optional().describe('Default "pending".'),
      }),
    )
    .max(maxTodos)
    .optional()
    .describe('The whole list, in order; it replaces the old one. An empty list clears it.'),
  changes: z
    .array(
      z.strictObject({
        number: z.int().min(1).describe('The number of the task, as the list shows it.'),
        status: status.optional().describe('Its new status.'),
        content: content.optional().describe('Its new text.'),
      }),
    )
    .max(maxTodos)
    .optional()
    .describe('Single tasks to change, instead of the whole list: [{"number": 2, "status": "completed"}].'),
});

/**
 * Creates the `todo` tool, which keeps the tasks of a session visible to the model and the user.
 *
 * @example
 * import { createTodoTool } from '@haft/builtins';
 * createTodoTool().name; // => 'todo'
 */
export function createTodoTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const store = dependencies.todos ?? createTodoStore();
  return defineBuiltin('createTodoTool', dependencies, {
    name: 'todo',
    title: 'Keep the list of tasks',
    description:
      'Stores the list of tasks of this session, and returns it numbered. Use it for work of three steps or more: write the list first, ' +
      'set one task in_progress when you begin it and completed as soon as it is done. Pass todos to replace the list, changes to change single tasks, ' +
      'neither to read it. Not for a single step or for answers; for how to do the work use plan.',
    input,
    kind: 'other',
    traits: keepsNotes,
    aliases: {
      todos: ['items', 'tasks', 'list', 'steps'],
      changes: ['updates'],
      ...Object.fromEntries(
        ['todos', 'changes'].map((name) => [`${name}[].content`, ['description', 'task', 'title', 'text', 'step']]),
      ),
      'changes[].number': ['id', 'index'],
    },
    footprint: () => ({ writes: ['todo:'] }),
    initialTitle: ({ todos, changes }) => {
      if (todos) return `Write the list of tasks (${count(todos.length, 'task')})`;
      return changes ? `Change ${count(changes.length, 'task')}` : 'Read the list of tasks';
    },
    run: (args, call) => keep(args, call, store),
  });
}

async function keep(args: z.output<typeof input>, { context }: BuiltinCall, store: TodoStore): Promise<ToolResult> {
  const { callId, sessionId } = context;
  const { todos: given, changes } = args;
  if (!given && !changes) return show(callId, await store.list(sessionId), 'Read');
  let missing: number | undefined;
  const todos = await store.update(sessionId, (now) => {
    const list: readonly Todo[] = given?.map(({ content, status = 'pending' }) => ({ content, status })) ?? now;
    missing = changes?.find(({ number }) => number > list.length)?.number;
    if (missing !== undefined || !changes) return missing === undefined ? list : now;
    return list.map((todo, index) => changes.filter(({ number }) => number === index + 1).reduce(applyChange, todo));
  });
  if (missing === undefined) return show(callId, todos, 'Kept');
  const error = toolError('NOT_FOUND', `there is no task ${missing}; nothing was changed`, {
    hint:
      todos.length === 0
        ? 'The list is empty. Pass todos to write one.'
        : `Use a number from 1 to ${todos.length}:\n${todos.map(describeTodo).join('\n')}`,
    details: { number: missing, tasks: todos.length },
  });
  return failure(callId, error);
}

function applyChange(todo: Todo, { status, content }: NonNullable<z.output<typeof input>['changes']>[number]): Todo {
  return { content: content ?? todo.content, status: status ?? todo.status };
}

function show(callId: string, todos: readonly Todo[], did: string): ToolResult {
  const done = todos.filter(({ status }) => status === 'completed' || status === 'cancelled').length;
  const running = todos.filter(({ status }) => status === 'in_progress').length;
  const advisories = [
    ...(running > 1 ? [`${running} tasks are in progress; work on one at a time.`] : []),
    ...(running === 0 && done < todos.length && todos.some(({ status }) => status === 'pending')
      ? ['no task is in progress; set the one that you begin.']
      : []),
  ];
  return success(callId, todos.length === 0 ? 'The list of tasks is empty.' : todos.map(describeTodo).join('\n'), {
    summary: `${did}: ${count(todos.length, 'task')}, ${done} done`,
    structured: todos,
    advisories,
  });
}

const marks: Readonly<Record<TodoStatus, string>> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
  cancelled: '[-]',
  blocked: '[!]',
};

function describeTodo({ content, status }: Todo, index: number): string {
  const word = status === 'pending' || status === 'completed' ? '' : ` (${status.replace('_', ' ')})`;
  return `${index + 1}. ${marks[status]} ${content.replace(/\s+/g, ' ')}${word}`;
}
