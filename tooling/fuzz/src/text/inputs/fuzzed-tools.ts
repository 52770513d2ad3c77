import type { OfferedTool } from '@haft-tooling/corpora/tool-call-texts';
import { offeredTools, readFixtures, toolsOfOutputs } from '@haft-tooling/corpora/tool-call-texts';

const known = readFixtures().examples[0]?.tools ?? [];

/**
 * The tools of the inputs: those of the fixtures and a few more complex ones. More tools would slow down extraction.
 */
export const fuzzedTools: readonly OfferedTool[] = [
  ...known,
  ...offeredTools.slice(0, 5),
  ...toolsOfOutputs.slice(0, 5),
];
