export { aiSdkModel, type AiSdkModelOptions } from './model/ai-sdk-model.ts';
export { fromAiSdkMessages, toAiSdkMessages } from './messages/ai-sdk-messages.ts';
export { ModelFailure } from './model/model-failure.ts';
export type { ConvertedTools, HaftToolSet } from './tools/converted-tools.ts';
export { readTextCalls } from './text-calls/read-text-calls.ts';
export { fromAiSdkTools, type FromAiSdkToolsOptions } from './tools/from-ai-sdk-tools.ts';
export { repairToolCall, type ToolCallToRepair } from './tools/repair-tool-call.ts';
export { toAiSdkTools, type ToAiSdkToolsOptions } from './tools/to-ai-sdk-tools.ts';
