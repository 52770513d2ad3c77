import type { AnyTool } from '@haft/core';
import type { BuiltinDependencies } from '../options/builtin-dependencies.ts';
import { createForgetTool } from '../tools/memory/forget-tool.ts';
import type { MemoryDependencies } from '../tools/memory/memory-dependencies.ts';
import { createRecallTool } from '../tools/memory/recall-tool.ts';
import { createRememberTool } from '../tools/memory/remember-tool.ts';
import { createQuestionTool } from '../tools/question/question-tool.ts';
import { createSkillTool } from '../tools/skill/skill-tool.ts';
import { createSearchTool } from '../tools/web-search/web-search-tool.ts';

/** The name of a tool that exists only when its dependency is given. */
export type OptionalBuiltinName = 'web_search' | 'question' | 'remember' | 'recall' | 'forget' | 'skill';

/** A tool that is left out when its dependency is missing. */
export interface OptionalTool {
  readonly needs: keyof BuiltinDependencies;
  readonly make: (dependencies: BuiltinDependencies) => AnyTool;
}

/** The tools that are left out when their dependency is missing. */
export const optionalTools: Readonly<Record<OptionalBuiltinName, OptionalTool>> = {
  web_search: { needs: 'search', make: (given) => createSearchTool({ ...given, search: given.search! }) },
  question: { needs: 'ask', make: createQuestionTool },
  remember: overMemory(createRememberTool),
  recall: overMemory(createRecallTool),
  forget: overMemory(createForgetTool),
  skill: { needs: 'skills', make: createSkillTool },
};

function overMemory(make: (given: MemoryDependencies) => AnyTool): OptionalTool {
  return { needs: 'memory', make: (given) => make({ ...given, memory: given.memory! }) };
}
