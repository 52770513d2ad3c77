import { functionKind, checkOptions, objectWith, type OptionTable } from '@haft/core/options';
import { invalidOption } from '../builtins-error.ts';
import { createMemoryDocuments, type Documents } from './note-documents.ts';
import { keyOf } from './note-key.ts';

/** The progress of a task. */
export type TodoStatus = 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'blocked';

/** A task of a session. */
export interface Todo {
  readonly content: string;
  readonly status: TodoStatus;
}

/** The tasks of every session. */
export interface TodoStore {
  /** Returns the tasks of a session, in order. */
  list(sessionId: string): Promise<readonly Todo[]>;
  /** Replaces the tasks of a session with the result of `change`, which runs again if another writer was first. */
  update(sessionId: string, change: (todos: readonly Todo[]) => readonly Todo[]): Promise<readonly Todo[]>;
}

/** Options of {@link createTodoStore}; all have defaults. */
export interface TodoStoreOptions {
  /** Where the tasks are stored. Default: in memory. */
  readonly documents?: Documents<{ readonly todos: readonly Todo[] }>;
  /** Called after every change, to show it. Errors it throws are ignored. */
  readonly onChange?: (sessionId: string, todos: readonly Todo[]) => void;
}

const table: OptionTable<TodoStoreOptions> = {
  documents: objectWith<Documents<{ readonly todos: readonly Todo[] }>>(
    'a Collection such as store.collection() of @haft/store returns',
    'get',
    'update',
  ),
  onChange: functionKind,
};

/**
 * Creates a store for the `todo` tool; the program can read it too.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function createTodoStore(options: TodoStoreOptions = {}): TodoStore {
  checkOptions('createTodoStore', options, table, '{ documents }', invalidOption);
  const { documents = createMemoryDocuments(), onChange } = options;
  return {
    list: async (sessionId) => (await documents.get(keyOf(sessionId)))?.value.todos ?? [],
    async update(sessionId, change) {
      const { value } = await documents.update(keyOf(sessionId), (now) => ({ todos: change(now?.todos ?? []) }));
      try {
        onChange?.(sessionId, value.todos);
      } catch {
        // A failing listener must not fail the update.
      }
      return value.todos;
    },
  };
}
