import { allowAll, createDispatcher, defineTool, ToolRegistry } from '@haft/core';
import type { Model, ModelEvent } from '@haft/core';
import { runAgent } from '@haft/runner';

import type { MakeWork } from '@haft-tooling/measure';
import { sampleArguments, sampleAnswer, sampleBody, sampleInput, sampleName, toolCount } from './sample-tool.ts';

/** A run of two requests and one call, against a model that answers at once. One operation is one request. */
const makeWork: MakeWork = (options) => {
  const count = toolCount(options);
  const tools = Array.from({ length: count }, (_, index) =>
    defineTool({ name: sampleName(index), description: `Sample ${index}.`, input: sampleInput, execute: sampleBody }),
  );
  const source = createDispatcher({ registry: new ToolRegistry({ tools }), permission: allowAll });
  const name = sampleName(Math.floor(count / 2));
  const model: Model = {
    name: 'sample',
    async *generate({ messages, tools: shown }): AsyncIterable<ModelEvent> {
      if (shown.length !== count) throw new Error(`${shown.length} tools instead of ${count}`);
      if (messages.at(-1)?.role === 'tool') {
        yield { type: 'text', text: 'Done.' };
        yield { type: 'finish', reason: 'stop' };
        return;
      }
      yield { type: 'tool-call', id: 'call_1', name, arguments: sampleArguments };
      yield { type: 'finish', reason: 'tool-calls' };
    },
  };
  return {
    operations: 2,
    async run() {
      const { text, calls } = await runAgent({ model, tools: source, prompt: 'Go.' });
      const part = calls[0]?.result.content[0];
      if (text !== 'Done.' || part?.type !== 'text' || part.text !== sampleAnswer) throw new Error('wrong answer');
    },
  };
};

export default makeWork;
