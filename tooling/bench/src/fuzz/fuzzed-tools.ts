import { offeredTools } from '../extract/call.ts';
import type { OfferedTool } from '../extract/call.ts';
import { readFixtures } from '../extract/fixtures-of-package.ts';
import { toolsOfOutputs } from '../extract/outputs/plain-tools.ts';

const known = readFixtures().examples[0]?.tools ?? [];

/** The tools that may be called: those of the fixtures and a few with more to them. Looking for many takes longer. */
export const fuzzedTools: readonly OfferedTool[] = [
  ...known,
  ...offeredTools.slice(0, 5),
  ...toolsOfOutputs.slice(0, 5),
];
