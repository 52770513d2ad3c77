import { allowAll, createDispatcher, defineTool, ToolRegistry } from '@haft/core';
import type { Model, ModelEvent } from '@haft/core';
import { runAgent } from '@haft/runner';

import { sampleAnswer, sampleArguments, sampleBody, sampleInput, sampleName } from '../dispatch/sample-tool.ts';
import type { PlayLoop } from './loop-shape.ts';

/**
 * Creates a function that plays `runAgent` with a number of tools, against a model that answers at once, with a
 * listener for every event.
 */
export function createHaftPlayer(count: number): PlayLoop {
  const tools = Array.from({ length: count }, (_, index) =>
    defineTool({ name: sampleName(index), description: `Sample ${index}.`, input: sampleInput, execute: sampleBody }),
  );
  const source = createDispatcher({ registry: new ToolRegistry({ tools }), permission: allowAll });
  const name = sampleName(Math.floor(count / 2));
  return async ({ turns, calls }) => {
    let requests = 0;
    let events = 0;
    const model: Model = {
      name: 'sample',
      async *generate({ tools: shown }): AsyncIterable<ModelEvent> {
        if (shown.length !== count) throw new Error(`${shown.length} tools instead of ${count}`);
        requests += 1;
        if (requests > turns) {
          yield { type: 'text', text: 'Done.' };
          yield { type: 'finish', reason: 'stop' };
          return;
        }
        for (let nth = 0; nth < calls; nth += 1)
          yield { type: 'tool-call', id: `call_${requests}_${nth}`, name, arguments: sampleArguments };
        yield { type: 'finish', reason: 'tool-calls' };
      },
    };
    const onEvent = (): void => void (events += 1);
    const result = await runAgent({ model, tools: source, prompt: 'Go.', maxToolIterations: turns + 1, onEvent });
    const answers = result.calls.filter(({ result: { content } }) => {
      const [part] = content;
      return part?.type === 'text' && part.text === sampleAnswer;
    });
    if (result.text !== 'Done.' || answers.length !== turns * calls || events === 0) throw new Error('wrong answer');
  };
}
