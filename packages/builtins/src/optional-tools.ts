import type { AnyTool } from '@haft/core';
import type { BuiltinDependencies } from './builtin-dependencies.ts';
import { createQuestionTool } from './question/question-tool.ts';
import { createSearchTool } from './web-search/search-tool.ts';

/** Name of a tool that is made only when a program gives what it works with. */
export type OptionalBuiltinName = 'web_search' | 'question';

/** A tool that is left out where what it needs is not given. */
export interface OptionalTool {
  readonly needs: keyof BuiltinDependencies;
  readonly make: (dependencies: BuiltinDependencies) => AnyTool;
}

/** The tools that are left out where what they need is not given. */
export const optionalTools: Readonly<Record<OptionalBuiltinName, OptionalTool>> = {
  web_search: { needs: 'search', make: (given) => createSearchTool({ ...given, search: given.search! }) },
  question: { needs: 'ask', make: createQuestionTool },
};
