import { isRecord } from './is-record.ts';

/** What to do with tools of the AI SDK, for error messages. */
export const aiSdkRemedy = 'for tools of the AI SDK, pass `await fromAiSdkTools({ … })` of @haft/ai-sdk';

/** Checks whether a value looks like a tool of the AI SDK, which has no name of its own. */
export function isAiSdkTool(value: unknown): boolean {
  return isRecord(value) && value['inputSchema'] !== undefined && value['name'] === undefined;
}
