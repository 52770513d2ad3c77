import type { Workspace } from '@haft/core';
import type { PathProtection, ProcessManager } from '@haft/sandbox';
import type { ImageSizer } from '../files/media/image-sizer.ts';
import type { MemoryStores } from '../notes/memory-stores.ts';
import type { PlanStore } from '../notes/plan-store.ts';
import type { AskQuestion } from './ask-dependency.ts';
import type { ReadTracker } from '../files/read-tracker.ts';
import type { SkillLibrary } from '../skills/skill-library.ts';
import type { TodoStore } from '../notes/todo-store.ts';
import type { WebAccess } from '../web/web-access.ts';
import type { SearchProvider } from '../web/providers/search-provider.ts';

/** Dependencies of the tools. Without `workspace`, the tools use the workspace of each call. */
export interface BuiltinDependencies {
  /** Replaces the workspace that the dispatcher passes with each call. */
  readonly workspace?: Workspace;
  /** Records what was read, for read, write and edit. Share it with your own tools. */
  readonly readTracker?: ReadTracker;
  /**
   * Files that write and edit never change, whatever the permission engine decides. Default: secrets and files that
   * other programs run or trust (`.git`, editor and agent settings, …), as in `protectDefaultPaths` of `@haft/sandbox`.
   * `'off'` protects no files.
   */
  readonly protection?: PathProtection | 'off';
  /**
   * Runs background processes, for bash and the process tools. `createBuiltins` creates one. Without one, bash runs
   * commands in the foreground only.
   */
  readonly processes?: ProcessManager;
  /**
   * Shrinks images that are too large, for read and web_fetch. Default: uses the package `sharp` if it is installed.
   */
  readonly images?: ImageSizer;
  /** How to access the web. Default: directly, and only public addresses. */
  readonly web?: WebAccess;
  /** The search provider of web_search. */
  readonly search?: SearchProvider;
  /** The tasks of each session, for todo. Default: `createTodoStore()`, in memory. */
  readonly todos?: TodoStore;
  /** The plan of each session, for plan. Default: `createPlanStore()`, in memory. */
  readonly plans?: PlanStore;
  /** Asks the user, for question. */
  readonly ask?: AskQuestion;
  /** Where facts are stored, by scope, for remember, recall and forget. */
  readonly memory?: MemoryStores;
  /** The skills for skill, as returned by `loadSkills()`. */
  readonly skills?: SkillLibrary;
}

/** The default provider of these tools. */
export const builtinProvider = 'builtin';
