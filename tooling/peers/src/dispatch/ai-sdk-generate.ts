import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import type { ToolSet } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';

import type { MakeWork } from '@haft-tooling/measure';
import { sampleAnswer, sampleArguments, sampleBody, sampleInput, sampleName, toolCount } from './sample-tool.ts';

const callsPerStep = 10;

/**
 * `generateText` against a model that answers at once. By default the cost of one more call in a step (a step with ten
 * calls less a step with none); with `step`, a whole step with one call; with `loop`, a run of two requests and one call,
 * of which one operation is one request. `schemas` chooses zod or JSON Schema.
 */
const makeWork: MakeWork = (options) => {
  const count = toolCount(options);
  const inputSchema =
    options['schemas'] === 'json'
      ? jsonSchema<z.infer<typeof sampleInput>>(z.toJSONSchema(sampleInput) as Parameters<typeof jsonSchema>[0], {
          validate: (value) => {
            const checked = sampleInput.safeParse(value);
            return checked.success ? { success: true, value: checked.data } : { success: false, error: checked.error };
          },
        })
      : sampleInput;
  const tools = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      sampleName(index),
      tool({ description: `Sample ${index}.`, inputSchema, execute: sampleBody }),
    ]),
  );
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

function answerWith(toolName: string, calls: number): LanguageModelV4GenerateResult {
  return {
    content:
      calls === 0
        ? [{ type: 'text', text: 'Done.' }]
        : Array.from({ length: calls }, (_, index) => ({
            type: 'tool-call' as const,
            toolCallId: `call_${index}`,
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
