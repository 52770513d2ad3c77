import { generateText, stepCountIs } from 'ai';
import type { ToolSet } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

import type { MakeWork } from '@haft-tooling/measure';
import { answerWith, makeAiSdkTools } from './ai-sdk-sample.ts';
import { sampleAnswer, sampleName, toolCount } from './sample-tool.ts';

const callsPerStep = 10;

/**
 * `generateText` against a model that answers at once. By default, measures one additional call in a step (a step with
 * ten calls minus a step without calls); with `step`, a whole step with one call; with `loop`, a run of two requests
 * and one call, where one operation is one request. `schemas` chooses zod or JSON Schema.
 */
const makeWork: MakeWork = (options) => {
  const count = toolCount(options);
  const tools = makeAiSdkTools(count, options['schemas'] === 'json' ? 'json' : 'zod');
  const called = sampleName(Math.floor(count / 2));
  const step = async (calls: number): Promise<void> => {
    const model = new MockLanguageModelV4({ doGenerate: answerWith(called, calls) });
    const { toolResults } = await generateText({ model, tools, prompt: 'Go.' });
    if (toolResults.length !== calls || toolResults.some(({ output }) => output !== sampleAnswer)) {
      throw new Error('wrong answer');
    }
  };
  if (options['loop'] === true) return { run: runLoop(tools, called), operations: 2 };
  if (options['step'] === true) return { run: () => step(1) };
  return { run: () => step(callsPerStep), baseline: () => step(0), operations: callsPerStep };
};

function runLoop(tools: ToolSet, called: string): () => Promise<void> {
  return async () => {
    const model = new MockLanguageModelV4({ doGenerate: [answerWith(called, 1), answerWith(called, 0)] });
    const { text, steps } = await generateText({ model, tools, prompt: 'Go.', stopWhen: stepCountIs(2) });
    if (text !== 'Done.' || steps[0]?.toolResults[0]?.output !== sampleAnswer) throw new Error('wrong answer');
  };
}

export default makeWork;
