import { aFunction, checkOptions, objectWith, type OptionTable } from '@haft/core/options';
import { invalidOption } from '../builtins-error.ts';
import { createMemoryDocuments, type Documents } from './documents.ts';
import { keyOf } from './key-of.ts';

/** The plan of every session. */
export interface PlanBoard {
  /** The plan of a session; empty when there is none. */
  read(sessionId: string): Promise<string>;
  /** Replaces the plan of a session by what `change` makes of it; asked again when somebody else was quicker. */
  update(sessionId: string, change: (plan: string) => string): Promise<string>;
}

/** What a board is made of; everything has a default. */
export interface PlanBoardOptions {
  /** Where the plans are kept. Default: in memory. */
  readonly documents?: Documents<{ readonly plan: string }>;
  /** Hears of every change, to show it. What it throws is ignored. */
  readonly onChange?: (sessionId: string, plan: string) => void;
}

const table: OptionTable<PlanBoardOptions> = {
  documents: objectWith<Documents<{ readonly plan: string }>>(
    'a collection such as @haft/store makes',
    'get',
    'update',
  ),
  onChange: aFunction,
};

/**
 * Makes a board for the `plan` tool, which a program can read as well.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function createPlanBoard(options: PlanBoardOptions = {}): PlanBoard {
  checkOptions('createPlanBoard', options, table, '{ documents }', invalidOption);
  const { documents = createMemoryDocuments(), onChange } = options;
  return {
    read: async (sessionId) => (await documents.get(keyOf(sessionId)))?.value.plan ?? '',
    async update(sessionId, change) {
      const { value } = await documents.update(keyOf(sessionId), (now) => ({ plan: change(now?.plan ?? '') }));
      try {
        onChange?.(sessionId, value.plan);
      } catch {
        // Whoever shows the plan can't keep it from being kept.
      }
      return value.plan;
    },
  };
}
