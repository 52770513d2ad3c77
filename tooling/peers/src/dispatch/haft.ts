import { asProviderTools, createDispatcher, defineTool, ToolRegistry } from '@haft/core';
import type { ToolEvent } from '@haft/core';

import { createPermissionEngine } from '@haft/permission';
import type { MakeWork } from '@haft-tooling/measure';
import {
  fileArguments,
  fileInput,
  sampleAnswer,
  sampleArguments,
  sampleBody,
  sampleInput,
  sampleName,
  toolCount,
} from './sample-tool.ts';

/**
 * One call through the whole pipeline: read, validate, permission by one rule that allows it, events, result. With
 * `turn`, the work of a loop around it too: list the visible tools, and convert them for the model. With `file`, an
 * argument names a file and the tool has no footprint, so that the engine resolves the path.
 */
const makeWork: MakeWork = (options) => {
  const count = toolCount(options);
  const namesFile = options['file'] === true;
  const tools = Array.from({ length: count }, (_, index) => {
    const name = sampleName(index);
    const description = `Sample ${index}.`;
    return namesFile
      ? defineTool({
          name,
          description,
          input: fileInput,
          execute: ({ path, ...others }) => sampleBody({ ...others, module: path }),
        })
      : defineTool({ name, description, input: sampleInput, execute: sampleBody });
  });
  const text = namesFile ? fileArguments : sampleArguments;
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
    // The id comes from the model, as with the other contenders, so no id is generated here.
    const result = await source.dispatch({ id: 'call_1', name, arguments: text }, { snapshot });
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
