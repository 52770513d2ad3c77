import type { SessionDocument, SessionDocuments, SessionStore } from './session-store.ts';

/** A task, as it is kept. */
export interface KeptTodo {
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'blocked';
}

/** Something that is remembered, as it is kept. */
export interface KeptMemory {
  readonly content: string;
  /** In ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A place for notes of one kind, by key. */
export type NotePlace<Value> = Pick<SessionDocuments<Value>, 'get' | 'update' | 'delete' | 'list'>;

/** Where the built-in tools keep what belongs to a session, to the project, or to everybody. */
export interface SessionNotes {
  /** For `createTodoStore({ documents })` of `@haft/builtins`. */
  readonly todos: NotePlace<{ readonly todos: readonly KeptTodo[] }>;
  /** For `createPlanStore({ documents })`. */
  readonly plans: NotePlace<{ readonly plan: string }>;
  /** For `createBuiltins({ memory })`. */
  readonly memory: Readonly<Record<'session' | 'project' | 'global', NotePlace<KeptMemory>>>;
}

/** Opens the places of notes; all but those of everybody belong to a project, and are told apart by what their keys begin with. */
export function openNotes(store: SessionStore, project: string): SessionNotes {
  return {
    todos: within(store.collection('sessions/todos', readTodos), project),
    plans: within(store.collection('sessions/plans', readPlan), project),
    memory: {
      session: within(store.collection('sessions/memory', readMemory), project),
      project: within(store.collection('projects/memory', readMemory), project),
      global: store.collection('global/memory', readMemory),
    },
  };
}

/** The part of a collection whose keys begin so, as if it were all of it. */
function within<Value>(documents: SessionDocuments<Value>, prefix: string): NotePlace<Value> {
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

function readTodos(value: unknown): { readonly todos: readonly KeptTodo[] } {
  const { todos } = asRecord(value);
  if (!Array.isArray(todos)) throw new TypeError('no list of tasks');
  return {
    todos: todos.map((todo: unknown) => {
      const { content, status } = asRecord(todo);
      if (typeof content !== 'string' || !statuses.includes(status)) throw new TypeError('no task');
      return { content, status: status as KeptTodo['status'] };
    }),
  };
}

function readPlan(value: unknown): { readonly plan: string } {
  const { plan } = asRecord(value);
  if (typeof plan !== 'string') throw new TypeError('no plan');
  return { plan };
}

function readMemory(value: unknown): KeptMemory {
  const { content, createdAt, updatedAt } = asRecord(value);
  if (typeof content !== 'string' || typeof createdAt !== 'string' || typeof updatedAt !== 'string')
    throw new TypeError('no memory');
  return { content, createdAt, updatedAt };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new TypeError('no object');
  return value as Readonly<Record<string, unknown>>;
}
