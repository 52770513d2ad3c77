import { asProviderTools, createDispatcher, defineTool, ToolRegistry } from '@haft/core';
import type { ToolEvent } from '@haft/core';

import { createPermissionEngine } from '@haft/permission';
import type { MakeWork } from '../contender.ts';
import { sampleAnswer, sampleArguments, sampleBody, sampleInput, sampleName, toolCount } from './sample-tool.ts';

/**
 * One call through the whole road: read, validate, permission by one rule that allows it, events, result. With `turn`,
 * what a loop does around it as well: ask what the model may see, and write the tools out for it.
 */
const makeWork: MakeWork = (options) => {
  const count = toolCount(options);
  const tools = Array.from({ length: count }, (_, index) =>
    defineTool({ name: sampleName(index), description: `Sample ${index}.`, input: sampleInput, execute: sampleBody }),
  );
  let events = 0;
  const observer = (_event: ToolEvent): void => {
    events += 1;
  };
  const name = sampleName(Math.floor(count / 2));
  const permission = createPermissionEngine({ rules: [{ action: 'allow', tool: name }] });
  const source = createDispatcher({ registry: new ToolRegistry({ tools }), permission, observer });
  let calls = 0;
  const call = async (snapshot = source.snapshot()): Promise<void> => {
    calls += 1;
    // The id comes from the model, as in the other contenders: nobody makes one here.
    const result = await source.dispatch({ id: 'call_1', name, arguments: sampleArguments }, { snapshot });
    const part = result.content[0];
    if (!result.ok || part?.type !== 'text' || part.text !== sampleAnswer) throw new Error(JSON.stringify(result));
    if (events !== calls * 2) throw new Error(`${events} events for ${calls} calls`);
  };
  if (options['turn'] !== true) return { run: () => call() };
  return {
    async run() {
      const snapshot = await source.visibleTo({ name: 'model' });
      if (asProviderTools(snapshot).length !== count) throw new Error('tools are missing');
      await call(snapshot);
    },
  };
};

export default makeWork;
