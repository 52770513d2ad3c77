import { aFunction, checkOptions, objectWith, type OptionTable } from '@haft/core/options';
import { invalidOption } from '../builtins-error.ts';
import { createMemoryDocuments, type Documents } from './documents.ts';
import { keyOf } from './key-of.ts';

/** How far a task has come. */
export type TodoStatus = 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'blocked';

/** A task of a session. */
export interface Todo {
  readonly content: string;
  readonly status: TodoStatus;
}

/** The tasks of every session. */
export interface TodoBoard {
  /** The tasks of a session, in order. */
  list(sessionId: string): Promise<readonly Todo[]>;
  /** Replaces the tasks of a session by what `change` makes of them; asked again when somebody else was quicker. */
  update(sessionId: string, change: (todos: readonly Todo[]) => readonly Todo[]): Promise<readonly Todo[]>;
}

/** What a board is made of; everything has a default. */
export interface TodoBoardOptions {
  /** Where the tasks are kept. Default: in memory. */
  readonly documents?: Documents<{ readonly todos: readonly Todo[] }>;
  /** Hears of every change, to show it. What it throws is ignored. */
  readonly onChange?: (sessionId: string, todos: readonly Todo[]) => void;
}

const table: OptionTable<TodoBoardOptions> = {
  documents: objectWith<Documents<{ readonly todos: readonly Todo[] }>>(
    'a collection such as @haft/store makes',
    'get',
    'update',
  ),
  onChange: aFunction,
};

/**
 * Makes a board for the `todo` tool, which a program can read as well.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function createTodoBoard(options: TodoBoardOptions = {}): TodoBoard {
  checkOptions('createTodoBoard', options, table, '{ documents }', invalidOption);
  const { documents = createMemoryDocuments(), onChange } = options;
  return {
    list: async (sessionId) => (await documents.get(keyOf(sessionId)))?.value.todos ?? [],
    async update(sessionId, change) {
      const { value } = await documents.update(keyOf(sessionId), (now) => ({ todos: change(now?.todos ?? []) }));
      try {
        onChange?.(sessionId, value.todos);
      } catch {
        // Whoever shows the list can't keep it from being kept.
      }
      return value.todos;
    },
  };
}
