import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { generateText, stepCountIs, tool, jsonSchema } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';

import type { MakeWork } from '@haft-tooling/measure';
import {
  sampleAnswer,
  sampleArguments,
  sampleBody,
  sampleInput,
  sampleName,
  toolCount,
} from '../dispatch/sample-tool.ts';
import { workOf, type LoopShape } from './loop-shape.ts';

/** `generateText` against a model that answers at once, with a listener for every step; JSON Schema, its quicker way. */
const makeWork: MakeWork = (options) => {
  const count = toolCount(options);
  const inputSchema = jsonSchema<z.infer<typeof sampleInput>>(
    z.toJSONSchema(sampleInput) as Parameters<typeof jsonSchema>[0],
    {
      validate: (value) => {
        const checked = sampleInput.safeParse(value);
        return checked.success ? { success: true, value: checked.data } : { success: false, error: checked.error };
      },
    },
  );
  const tools = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      sampleName(index),
      tool({ description: `Sample ${index}.`, inputSchema, execute: sampleBody }),
    ]),
  );
  const name = sampleName(Math.floor(count / 2));
  return workOf(options, async ({ turns, calls }: LoopShape) => {
    let requests = 0;
    let steps = 0;
    const model = new MockLanguageModelV4({
      doGenerate: async () => answerOf((requests += 1), requests > turns ? 0 : calls, name),
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

function answerOf(request: number, calls: number, toolName: string): LanguageModelV4GenerateResult {
  return {
    content:
      calls === 0
        ? [{ type: 'text', text: 'Done.' }]
        : Array.from({ length: calls }, (_, nth) => ({
            type: 'tool-call' as const,
            toolCallId: `call_${request}_${nth}`,
            toolName,
            input: sampleArguments,
          })),
    finishReason: { unified: calls === 0 ? 'stop' : 'tool-calls', raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    },
    warnings: [],
  };
}

export default makeWork;
