import { functionKind, checkOptions, objectWith, type OptionTable } from '@haft/core/options';
import { invalidOption } from '../builtins-error.ts';
import { createMemoryDocuments, type Documents } from './note-documents.ts';
import { keyOf } from './note-key.ts';

/** The plan of every session. */
export interface PlanStore {
  /** Returns the plan of a session, or an empty string. */
  read(sessionId: string): Promise<string>;
  /** Replaces the plan of a session with the result of `change`, which runs again if another writer was first. */
  update(sessionId: string, change: (plan: string) => string): Promise<string>;
}

/** Options of {@link createPlanStore}; all have defaults. */
export interface PlanStoreOptions {
  /** Where the plans are stored. Default: in memory. */
  readonly documents?: Documents<{ readonly plan: string }>;
  /** Called after every change, to show it. Errors it throws are ignored. */
  readonly onChange?: (sessionId: string, plan: string) => void;
}

const table: OptionTable<PlanStoreOptions> = {
  documents: objectWith<Documents<{ readonly plan: string }>>(
    'a Collection such as store.collection() of @haft/store returns',
    'get',
    'update',
  ),
  onChange: functionKind,
};

/**
 * Creates a store for the `plan` tool; the program can read it too.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function createPlanStore(options: PlanStoreOptions = {}): PlanStore {
  checkOptions('createPlanStore', options, table, '{ documents }', invalidOption);
  const { documents = createMemoryDocuments(), onChange } = options;
  return {
    read: async (sessionId) => (await documents.get(keyOf(sessionId)))?.value.plan ?? '',
    async update(sessionId, change) {
      const { value } = await documents.update(keyOf(sessionId), (now) => ({ plan: change(now?.plan ?? '') }));
      try {
        onChange?.(sessionId, value.plan);
      } catch {
        // A failing listener must not fail the update.
      }
      return value.plan;
    },
  };
}
