import { asSchema, safeParseJSON } from '@ai-sdk/provider-utils';
import { tool } from 'ai';

import type { MakeWork } from '@haft-tooling/measure';
import { sampleAnswer, sampleArguments, sampleBody, sampleInput } from './sample-tool.ts';

/** The internal steps of the AI SDK for one tool call, through its public functions: no result object, no events. */
const makeWork: MakeWork = () => {
  const sample = tool({ description: 'Sample.', inputSchema: sampleInput, execute: sampleBody });
  return {
    async run() {
      const parsed = await safeParseJSON({ text: sampleArguments, schema: asSchema(sample.inputSchema) });
      if (!parsed.success) throw parsed.error;
      const options = { toolCallId: 'call_1', messages: [], context: {} };
      if ((await sample.execute?.(parsed.value, options)) !== sampleAnswer) throw new Error('wrong answer');
    },
  };
};

export default makeWork;
