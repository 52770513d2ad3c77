import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

import type { MakeWork } from '@haft-tooling/measure';
import { answerWith, makeAiSdkTools } from '../dispatch/ai-sdk-sample.ts';
import { sampleAnswer, sampleName, toolCount } from '../dispatch/sample-tool.ts';
import { workOf, type LoopShape } from './loop-shape.ts';

/**
 * `generateText` against a model that answers at once, with a listener for every step. Uses JSON Schema, which is
 * faster there.
 */
const makeWork: MakeWork = (options) => {
  const count = toolCount(options);
  const tools = makeAiSdkTools(count, 'json');
  const name = sampleName(Math.floor(count / 2));
  return workOf(options, async ({ turns, calls }: LoopShape) => {
    let requests = 0;
    let steps = 0;
    const model = new MockLanguageModelV4({
      doGenerate: async () => answerWith(name, (requests += 1) > turns ? 0 : calls, `call_${requests}_`),
    });
    const result = await generateText({
      model,
      tools,
      prompt: 'Go.',
      stopWhen: stepCountIs(turns + 1),
      onStepFinish: () => void (steps += 1),
    });
    const answers = result.steps.flatMap(({ toolResults }) =>
      toolResults.filter(({ output }) => output === sampleAnswer),
    );
    if (result.text !== 'Done.' || answers.length !== turns * calls || steps !== turns + 1)
      throw new Error('wrong answer');
  });
};

export default makeWork;
