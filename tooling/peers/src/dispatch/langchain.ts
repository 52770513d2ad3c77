import { ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';

import type { MakeWork } from '@haft-tooling/measure';
import { sampleAnswer, sampleArguments, sampleBody, sampleInput } from './sample-tool.ts';

/** A tool call as made by LangChain's agents: invoke with the call, get a `ToolMessage`. */
const makeWork: MakeWork = () => {
  const sample = new DynamicStructuredTool({
    name: 'sample',
    description: 'Sample.',
    schema: sampleInput,
    func: sampleBody,
  });
  return {
    async run() {
      const args = JSON.parse(sampleArguments) as Record<string, unknown>;
      const answer: unknown = await sample.invoke({ type: 'tool_call', id: 'call_1', name: 'sample', args });
      if (!(answer instanceof ToolMessage) || answer.content !== sampleAnswer) throw new Error('wrong answer');
    },
  };
};

export default makeWork;
