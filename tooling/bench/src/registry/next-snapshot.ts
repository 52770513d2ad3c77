import { defineTool, ToolRegistry } from '@haft/core';
import type { MakeWork } from '@haft-tooling/measure';
import { sampleBody, sampleInput, sampleName, toolCount } from '@haft-tooling/peers/dispatch/sample-tool';

/**
 * Registers one of many tools again and takes the next snapshot. With `unchanged`, takes the snapshot without a change.
 */
const makeWork: MakeWork = (options) => {
  const count = toolCount(options);
  const make = (index: number, description: string) =>
    defineTool({ name: sampleName(index), description, input: sampleInput, execute: sampleBody });
  const registry = new ToolRegistry({ tools: Array.from({ length: count }, (_, index) => make(index, 'Sample.')) });
  const name = sampleName(Math.floor(count / 2));
  const either = ['One.', 'Other.'].map((description) => make(Math.floor(count / 2), description));
  let before = registry.snapshot();
  let changes = 0;
  if (options['unchanged'] === true) {
    return {
      operations: 1_000,
      async run() {
        for (let index = 0; index < 1_000; index += 1) {
          if (registry.snapshot() !== before) throw new Error('another object');
        }
      },
    };
  }
  return {
    async run() {
      changes += 1;
      const tool = either[changes % 2];
      if (tool === undefined) throw new Error('the tool is missing');
      registry.register(tool);
      const next = registry.snapshot();
      const isRight = next.get(name) === tool && before.get(name) !== tool && next.tools.length === count;
      if (!isRight || next === before) throw new Error('the snapshot does not list the change');
      before = next;
    },
  };
};

export default makeWork;
