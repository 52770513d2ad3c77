export { createAppendTool } from './append/append-tool.ts';
export { createApplyPatchTool } from './apply-patch/apply-patch-tool.ts';
export { createBashTool } from './bash/bash-tool.ts';
export type { BuiltinDependencies } from './builtin-dependencies.ts';
export { BuiltinsError, builtinsErrorCodes, type BuiltinsErrorCode } from './builtins-error.ts';
export { builtinNames, createBuiltins, type BuiltinName, type BuiltinsOptions } from './create-builtins.ts';
export { createDeleteRangeTool } from './delete-range/delete-range-tool.ts';
export { createEditTool } from './edit/edit-tool.ts';
export { createFetchTool } from './fetch/fetch-tool.ts';
export { createGlobTool } from './glob/glob-tool.ts';
export { createGrepTool } from './grep/grep-tool.ts';
export type { GrepMatch } from './grep/render-matches.ts';
export { createListTool, type ListedEntry } from './ls/ls-tool.ts';
export type { ReadOutput } from './processes/bash-output-tool.ts';
export type { ListedProcess } from './processes/describe-process.ts';
export { createProcessTools } from './processes/process-tools.ts';
export { createMultiEditTool } from './multi-edit/multi-edit-tool.ts';
export type { ImageLimits, ImageSizer, SizedImage } from './media/image-sizer.ts';
export type { Memory, MemoryPlaces, MemoryScope, RecalledMemory } from './memory/memory-places.ts';
export { createMemoryTools, type MemoryDependencies } from './memory/memory-tools.ts';
export { createMemoryDocuments, type Documents, type KeptDocument } from './notes/documents.ts';
export { createPlanBoard, type PlanBoard, type PlanBoardOptions } from './plan/plan-board.ts';
export { createPlanTool } from './plan/plan-tool.ts';
export type { AskQuestion, PersonAnswer, PersonQuestion } from './question/ask-question.ts';
export { createQuestionTool, type AnsweredQuestion } from './question/question-tool.ts';
export { createReadTool } from './read/read-tool.ts';
export { createReadTracker, type ReadRecord, type ReadTracker, type ReadTrackerOptions } from './read-tracker.ts';
export { loadSkills, type Skill, type SkillLibrary, type SkillLibraryOptions } from './skill/skill-library.ts';
export { createSkillTool } from './skill/skill-tool.ts';
export {
  createTodoBoard,
  type Todo,
  type TodoBoard,
  type TodoBoardOptions,
  type TodoStatus,
} from './todo/todo-board.ts';
export { createTodoTool } from './todo/todo-tool.ts';
export { createWriteTool } from './write/write-tool.ts';
export { createBraveSearch, type BraveOptions } from './web-search/brave-search.ts';
export type { SearchConnection } from './web-search/fetch-json.ts';
export { createLocalSearch } from './web-search/local-search.ts';
export type {
  SearchAnswer,
  SearchHit,
  SearchProblem,
  SearchProvider,
  SearchRequest,
} from './web-search/search-provider.ts';
export { createSearchTool } from './web-search/search-tool.ts';
export { createSearxngSearch, type SearxngOptions } from './web-search/searxng-search.ts';
export type { WebAccess } from './web-access.ts';
