export { aiSdkModel, type AiSdkModelOptions } from './ai-sdk-model.ts';
export { fromAiSdkMessages, toAiSdkMessages } from './messages/ai-sdk-messages.ts';
export { ModelFailure } from './model/model-failure.ts';
