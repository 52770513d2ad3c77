import type { Workspace } from '@haft/core';
import type { PathProtection, ProcessManager } from '@haft/sandbox';
import type { ImageSizer } from '../files/media/image-sizer.ts';
import type { MemoryPlaces } from '../notes/memory-places.ts';
import type { PlanBoard } from '../notes/plan-board.ts';
import type { AskQuestion } from './ask-question.ts';
import type { ReadTracker } from '../files/read-tracker.ts';
import type { SkillLibrary } from '../skills/skill-library.ts';
import type { TodoBoard } from '../notes/todo-board.ts';
import type { WebAccess } from '../web/web-access.ts';
import type { SearchProvider } from '../web/providers/search-provider.ts';

/** What the tools of this package may be given; without any, they work in the workspace of each call. */
export interface BuiltinDependencies {
  /** Used instead of the workspace that the dispatcher passes with each call. */
  readonly workspace?: Workspace;
  /** Remembers what was read, for read, write and edit; share one with tools of your own. */
  readonly readTracker?: ReadTracker;
  /**
   * Which files write and edit leave alone, whatever permission says. Default: secrets and what other programs run or trust
   * (`.git`, editor and agent settings, …), by `protectDefaultPaths` of `@haft/sandbox`; `'off'` opens all.
   */
  readonly protection?: PathProtection | 'off';
  /**
   * Where bash leaves processes that run in the background, for bash and the process tools. `createBuiltins` makes one; without any
   * bash runs nothing in the background.
   */
  readonly processes?: ProcessManager;
  /** Makes images smaller that are too large to be shown, for read and web_fetch. Default: by the package `sharp`, where it is installed. */
  readonly images?: ImageSizer;
  /** How the web is reached. Default: directly, and the public web alone. */
  readonly web?: WebAccess;
  /** Who searches the web, for web_search. */
  readonly search?: SearchProvider;
  /** The tasks of each session, for todo. Default: one that `createTodoBoard()` makes, in memory. */
  readonly todos?: TodoBoard;
  /** The plan of each session, for plan. Default: one that `createPlanBoard()` makes, in memory. */
  readonly plans?: PlanBoard;
  /** Puts a question to the person, for question. */
  readonly ask?: AskQuestion;
  /** Where facts are kept, scope by scope, for remember, recall and forget. */
  readonly memory?: MemoryPlaces;
  /** The skills that `loadSkills()` found, for skill. */
  readonly skills?: SkillLibrary;
}

/** The provider that every tool of this package is registered under when none is named. */
export const builtinProvider = 'builtin';
