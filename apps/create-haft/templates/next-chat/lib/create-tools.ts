import { toAiSdkTools } from '@haft/ai-sdk';
import { allowReadOnly, type PermissionEngine } from '@haft/core';
import type { ToolSet } from 'ai';
import { getTemperature } from './tools/get-temperature.ts';

/** The tools for `generateText`, `streamText` and agents of the AI SDK. Add your own here. */
export function createTools(permission: PermissionEngine = allowReadOnly): ToolSet {
  // Haft validates and schedules each call. `allowReadOnly` refuses tools that change something. For those, pass an engine
  // of @haft/permission that asks the user.
  return toAiSdkTools([getTemperature], { permission });
}
