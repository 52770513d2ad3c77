import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { readTextCalls } from '@haft/ai-sdk';
import { wrapLanguageModel, type LanguageModel } from 'ai';
import { createScriptedModel } from './scripted-model.ts';

/** The model of a run, and a line for the user. */
export interface ChosenModel {
  readonly model: LanguageModel;
  readonly description: string;
}

/**
 * Chooses the model: with MODEL_URL and MODEL_NAME any server with an OpenAI-compatible API (and MODEL_KEY, if it needs a key),
 * with OPENAI_API_KEY alone OpenAI, and otherwise a script that needs no network.
 */
export function chooseModel(environment: Readonly<Record<string, string | undefined>>): ChosenModel {
  const { MODEL_URL, MODEL_NAME, MODEL_KEY, OPENAI_API_KEY } = environment;
  if (MODEL_URL !== undefined) {
    if (MODEL_NAME === undefined)
      throw new Error('MODEL_NAME is missing: set it to a model of MODEL_URL, such as qwen3');
    return connect('custom', MODEL_URL, MODEL_NAME, MODEL_KEY);
  }
  if (OPENAI_API_KEY !== undefined) {
    return connect('openai', 'https://api.openai.com/v1', MODEL_NAME ?? 'gpt-5-mini', OPENAI_API_KEY);
  }
  return {
    model: createScriptedModel(),
    description: 'No MODEL_URL and no OPENAI_API_KEY is set, so a script plays the model (it ignores the task).',
  };
}

function connect(name: string, baseURL: string, model: string, apiKey: string | undefined): ChosenModel {
  const provider = createOpenAICompatible({ name, baseURL, ...(apiKey === undefined ? {} : { apiKey }) });
  // Small models often write calls as text; the middleware finds them.
  const wrapped = wrapLanguageModel({ model: provider.chatModel(model), middleware: readTextCalls });
  return { model: wrapped, description: `${model} at ${baseURL}` };
}
