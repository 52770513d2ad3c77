import type { SessionDocument, SessionDocuments, SessionStore } from './session-store.ts';

/** A stored task. */
export interface StoredTodo {
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'blocked';
}

/** A stored memory. */
export interface StoredMemory {
  readonly content: string;
  /** In ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Notes of one kind, by key. */
export type SessionNoteStore<Value> = Pick<SessionDocuments<Value>, 'get' | 'update' | 'delete' | 'list'>;

/** Stores of the built-in tools for notes of a session, of a project, and of all projects. */
export interface SessionNotes {
  /** For `createTodoStore({ documents })` of `@haft/builtins`. */
  readonly todos: SessionNoteStore<{ readonly todos: readonly StoredTodo[] }>;
  /** For `createPlanStore({ documents })`. */
  readonly plans: SessionNoteStore<{ readonly plan: string }>;
  /** For `createBuiltins({ memory })`. */
  readonly memory: Readonly<Record<'session' | 'project' | 'global', SessionNoteStore<StoredMemory>>>;
}

/** Creates the stores of notes. All keys except those of global memories start with the project. */
export function createSessionNotes(store: SessionStore, project: string): SessionNotes {
  return {
    todos: withPrefix(store.collection('sessions/todos', readTodos), project),
    plans: withPrefix(store.collection('sessions/plans', readPlan), project),
    memory: {
      session: withPrefix(store.collection('sessions/memory', readMemory), project),
      project: withPrefix(store.collection('projects/memory', readMemory), project),
      global: store.collection('global/memory', readMemory),
    },
  };
}

/** Restricts a collection to keys with a prefix, and removes the prefix from returned keys. */
function withPrefix<Value>(documents: SessionDocuments<Value>, prefix: string): SessionNoteStore<Value> {
  const without = (document: SessionDocument<Value>): SessionDocument<Value> => ({
    ...document,
    key: document.key.slice(prefix.length),
  });
  return {
    get: async (key) => {
      const found = await documents.get(prefix + key);
      return found && without(found);
    },
    update: async (key, change) => without(await documents.update(prefix + key, change)),
    delete: (key) => documents.delete(prefix + key),
    async list(below = '', { after, limit } = {}) {
      const page = await documents.list(prefix + below, {
        ...(after !== undefined && { after: prefix + after }),
        ...(limit !== undefined && { limit }),
      });
      return { documents: page.documents.map(without), next: page.next?.slice(prefix.length) };
    },
  };
}

const statuses: readonly unknown[] = ['pending', 'in_progress', 'completed', 'cancelled', 'blocked'];

function readTodos(value: unknown): { readonly todos: readonly StoredTodo[] } {
  const { todos } = asRecord(value);
  if (!Array.isArray(todos)) throw new TypeError('todos is not an array');
  return {
    todos: todos.map((todo: unknown) => {
      const { content, status } = asRecord(todo);
      if (typeof content !== 'string' || !statuses.includes(status)) throw new TypeError('not a task');
      return { content, status: status as StoredTodo['status'] };
    }),
  };
}

function readPlan(value: unknown): { readonly plan: string } {
  const { plan } = asRecord(value);
  if (typeof plan !== 'string') throw new TypeError('not a plan');
  return { plan };
}

function readMemory(value: unknown): StoredMemory {
  const { content, createdAt, updatedAt } = asRecord(value);
  if (typeof content !== 'string' || typeof createdAt !== 'string' || typeof updatedAt !== 'string')
    throw new TypeError('not a memory');
  return { content, createdAt, updatedAt };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new TypeError('not an object');
  return value as Readonly<Record<string, unknown>>;
}
