import type { OfferedTool } from '@haft-tooling/corpora/tool-call-texts';
import { offeredTools, readFixtures, toolsOfOutputs } from '@haft-tooling/corpora/tool-call-texts';

const known = readFixtures().examples[0]?.tools ?? [];

/** The tools that may be called: those of the fixtures and a few with more to them. Looking for many takes longer. */
export const fuzzedTools: readonly OfferedTool[] = [
  ...known,
  ...offeredTools.slice(0, 5),
  ...toolsOfOutputs.slice(0, 5),
];
