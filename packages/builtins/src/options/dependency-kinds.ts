import {
  functionKind,
  numberKind,
  stringKind,
  both,
  custom,
  described,
  either,
  isRecord,
  hasMethods,
  objectOf,
  objectWith,
  oneOf,
  type OptionKind,
  type OptionTable,
} from '@haft/core/options';
import type { Workspace } from '@haft/core';
import type { ProcessManager } from '@haft/sandbox';
import type { ReadTracker } from '../files/read-tracker.ts';
import type { Documents } from '../notes/note-documents.ts';
import type { Memory, MemoryStores } from '../notes/memory-stores.ts';
import type { PlanStore } from '../notes/plan-store.ts';
import type { TodoStore } from '../notes/todo-store.ts';
import type { SkillLibrary } from '../skills/skill-library.ts';
import { connectionKinds } from '../web/providers/fetch-json.ts';
import type { SearchProvider } from '../web/providers/search-provider.ts';
import type { WebAccess } from '../web/web-access.ts';
import type { BuiltinDependencies } from './builtin-dependencies.ts';

const place = objectWith<Documents<Memory>>(
  'a Collection such as store.collection() of @haft/store returns',
  'update',
  'list',
);

/** The kind of `memory`: an object with at least one scope. */
export const memoryKind: OptionKind<MemoryStores> = described(
  'an object with a collection for session, project or global',
  both(
    objectOf<MemoryStores>({ session: place, project: place, global: place }, '{ global: collection }'),
    custom('an object with at least one of session, project and global', (value) =>
      Object.values(value as MemoryStores).some((one) => one !== undefined),
    ),
  ),
);

export const searchKind: OptionKind<SearchProvider> = custom(
  'a SearchProvider such as createSearxngSearch({ url }) returns',
  (value) => isRecord(value) && hasMethods(value, 'search') && typeof value['name'] === 'string',
);

const web = objectOf<WebAccess>(
  {
    ...connectionKinds,
    userAgent: stringKind,
    timeoutMs: numberKind({ min: 1 }),
    maxBytes: numberKind({ min: 1 }),
    cacheTtlMs: numberKind({ min: 0 }),
  },
  '{ timeoutMs: 10_000 }',
);

/** The kind of `processes`: a manager of background processes. */
export const processesKind: OptionKind<ProcessManager> = objectWith<ProcessManager>(
  'a ProcessManager of createProcessManager() of @haft/sandbox',
  'start',
  'find',
);

/** The kind of each dependency of the tools. */
export const dependencyKinds: OptionTable<BuiltinDependencies> = {
  workspace: custom<Workspace>(
    'a Workspace of createWorkspace({ cwd })',
    (value) => isRecord(value) && typeof value['cwd'] === 'string' && 'readRoots' in value,
  ),
  readTracker: objectWith<ReadTracker>('a ReadTracker of createReadTracker()', 'record', 'get'),
  protection: either(
    oneOf('off'),
    described('a Protection of compileProtection(globs) of @haft/sandbox', functionKind),
  ),
  processes: processesKind,
  images: functionKind,
  web,
  search: searchKind,
  todos: objectWith<TodoStore>('a TodoStore of createTodoStore()', 'list', 'update'),
  plans: objectWith<PlanStore>('a PlanStore of createPlanStore()', 'read', 'update'),
  ask: functionKind,
  memory: memoryKind,
  skills: custom<SkillLibrary>(
    'a SkillLibrary of loadSkills({ directories })',
    (value) => isRecord(value) && Array.isArray(value['skills']),
  ),
};
