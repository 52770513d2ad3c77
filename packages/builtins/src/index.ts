export { createAppendTool } from './tools/append/append-tool.ts';
export { createApplyPatchTool } from './tools/apply-patch/apply-patch-tool.ts';
export { createBashTool } from './tools/bash/bash-tool.ts';
export type { BuiltinDependencies } from './options/builtin-dependencies.ts';
export { BuiltinsError, builtinsErrorCodes, type BuiltinsErrorCode } from './builtins-error.ts';
export { builtinNames, createBuiltins, type BuiltinName, type BuiltinsOptions } from './create/create-builtins.ts';
export { createDeleteRangeTool } from './tools/delete-range/delete-range-tool.ts';
export { createEditTool } from './tools/edit/edit-tool.ts';
export { createFetchTool } from './tools/fetch/fetch-tool.ts';
export { createGlobTool } from './tools/glob/glob-tool.ts';
export { createGrepTool } from './tools/grep/grep-tool.ts';
export type { GrepMatch } from './tools/grep/render-grep-matches.ts';
export { createListTool, type ListedEntry } from './tools/ls/ls-tool.ts';
export type { ReadOutput } from './tools/processes/bash-output-tool.ts';
export type { ListedProcess } from './tools/processes/describe-process.ts';
export { createProcessTools } from './tools/processes/process-tools.ts';
export { createMultiEditTool } from './tools/multi-edit/multi-edit-tool.ts';
export type { ImageLimits, ImageSizer, SizedImage } from './files/media/image-sizer.ts';
export type { Memory, MemoryStores, MemoryScope, RecalledMemory } from './notes/memory-stores.ts';
export { createMemoryTools } from './tools/memory/memory-tools.ts';
export { type MemoryDependencies } from './tools/memory/memory-dependencies.ts';
export { createMemoryDocuments, type Documents, type StoredDocument } from './notes/note-documents.ts';
export { createPlanStore, type PlanStore, type PlanStoreOptions } from './notes/plan-store.ts';
export { createPlanTool } from './tools/plan/plan-tool.ts';
export type { AskQuestion, PersonAnswer, PersonQuestion } from './options/ask-dependency.ts';
export { createQuestionTool, type AnsweredQuestion } from './tools/question/question-tool.ts';
export { createReadTool } from './tools/read/read-tool.ts';
export { createReadTracker, type ReadRecord, type ReadTracker, type ReadTrackerOptions } from './files/read-tracker.ts';
export { loadSkills, type Skill, type SkillLibrary, type SkillLibraryOptions } from './skills/skill-library.ts';
export { createSkillTool } from './tools/skill/skill-tool.ts';
export {
  createTodoStore,
  type Todo,
  type TodoStore,
  type TodoStoreOptions,
  type TodoStatus,
} from './notes/todo-store.ts';
export { createTodoTool } from './tools/todo/todo-tool.ts';
export { createWriteTool } from './tools/write/write-tool.ts';
export { createBraveSearch, type BraveOptions } from './web/providers/brave-search.ts';
export type { SearchConnection } from './web/providers/fetch-json.ts';
export { createLocalSearch } from './web/providers/local-search.ts';
export type {
  SearchAnswer,
  SearchHit,
  SearchProblem,
  SearchProvider,
  SearchRequest,
} from './web/providers/search-provider.ts';
export { createSearchTool } from './tools/web-search/web-search-tool.ts';
export { createSearxngSearch, type SearxngOptions } from './web/providers/searxng-search.ts';
export type { WebAccess } from './web/web-access.ts';
