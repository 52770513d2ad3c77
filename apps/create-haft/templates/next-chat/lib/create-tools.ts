import { toAiSdkTools } from '@haft/ai-sdk';
import { allowReadOnly } from '@haft/core';
import type { ToolSet } from 'ai';
import { getTemperature } from './tools/get-temperature.ts';

/** The tools for `generateText`, `streamText` and agents of the AI SDK. Add your own here. */
export function createTools(): ToolSet {
  // Haft validates and schedules each call, and refuses tools that change something: use a permission engine of
  // @haft/permission, which asks the user, for those.
  return toAiSdkTools([getTemperature], { permission: allowReadOnly });
}
