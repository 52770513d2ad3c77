import { Agent, Runner, setTracingDisabled, tool, Usage } from '@openai/agents-core';
import type { Model, ModelResponse } from '@openai/agents-core';
import { z } from 'zod';

import type { MakeWork } from '@haft-tooling/measure';
import { sampleAnswer, sampleArguments, sampleBody, sampleName, toolCount } from '../dispatch/sample-tool.ts';
import { workOf, type LoopShape } from './loop-shape.ts';

setTracingDisabled(true);

/** Its schemas are strict, so optional arguments are null. */
const parameters = z.object({
  module: z.string(),
  startLine: z.int().nullable(),
  endLine: z.int().nullable(),
  flags: z.array(z.string()),
});

/** `Runner.run` against a model that answers at once, with a listener for the end of each call. */
const makeWork: MakeWork = (options) => {
  const count = toolCount(options);
  const tools = Array.from({ length: count }, (_, index) =>
    tool({
      name: sampleName(index),
      description: `Sample ${index}.`,
      parameters,
      execute: ({ module, startLine, endLine, flags }) =>
        sampleBody({ module, startLine: startLine ?? undefined, endLine: endLine ?? undefined, flags }),
    }),
  );
  const name = sampleName(Math.floor(count / 2));
  return workOf(options, async ({ turns, calls }: LoopShape) => {
    let requests = 0;
    let ends = 0;
    const model: Model = {
      getResponse: async () => answerOf((requests += 1), requests > turns ? 0 : calls, name),
      // eslint-disable-next-line require-yield
      async *getStreamedResponse() {
        throw new Error('no stream was requested');
      },
    };
    const agent = new Agent({ name: 'sample', instructions: 'Go.', model, tools });
    const runner = new Runner({ tracingDisabled: true });
    runner.on('agent_tool_end', (_context, _agent, _tool, output) => void (ends += output === sampleAnswer ? 1 : 0));
    const { finalOutput } = await runner.run(agent, 'Go.', { maxTurns: turns + 2 });
    if (finalOutput !== 'Done.' || ends !== turns * calls) throw new Error('wrong answer');
  });
};

function answerOf(request: number, calls: number, name: string): ModelResponse {
  const output: ModelResponse['output'] =
    calls === 0
      ? [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.' }] }]
      : Array.from({ length: calls }, (_, nth) => ({
          type: 'function_call' as const,
          callId: `call_${request}_${nth}`,
          name,
          status: 'completed' as const,
          arguments: sampleArguments,
        }));
  return { usage: new Usage(), output };
}

export default makeWork;
