import { defineTool, failure, success, toolError, type AnyTool } from '@haft/core';
import { copyData } from '../../copy-data.ts';
import type { ToolExample } from '../../catalog/tool-draft.ts';
import type { ToolDeps } from './lifecycle-tool-deps.ts';
import { notGenerated, withCatalog } from './lifecycle-tool-failures.ts';

/** Creates `test_tool`, which runs the tests of a tool in a separate process. */
export function createTestTool(deps: ToolDeps): AnyTool {
  return defineTool({
    name: 'test_tool',
    description: 'Runs the tests of a tool created with new_tool, or the given ones, and reports which pass.',
    input: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        tests: {
          type: 'array',
          maxItems: 50,
          description: 'Default: its own tests.',
          items: {
            type: 'object',
            properties: { arguments: { type: 'object' }, expected: {} },
            required: ['arguments'],
            additionalProperties: false,
          },
        },
      },
      required: ['name'],
      additionalProperties: false,
    },
    timeoutMs: 600_000,
    initialTitle: ({ name }) => `Test the tool ${name.slice(0, 64)}`,
    execute: ({ name, tests }, context) =>
      withCatalog(context, async () => {
        const kept = await deps.catalog.entry(name);
        const version = kept?.entry.versions.find((one) => one.version === kept.entry.version);
        if (!version) return notGenerated(context, deps, name);
        const examples = tests?.map((test): ToolExample => ({
          arguments: copyData(test.arguments ?? {}) ?? {},
          ...(test.expected !== undefined && { expected: copyData(test.expected) ?? null }),
        }));
        const outcomes = await deps.builder.test(name, version, examples, context.signal);
        if (typeof outcomes === 'string')
          return failure(
            context.callId,
            toolError('PLUGIN_FAILED', `${name} can't be tested: ${outcomes}`, { fault: 'world' }),
          );
        const failed = outcomes.filter(({ passed }) => !passed);
        const lines = failed.map(({ index, reason }) => `test ${index}: ${reason}`);
        const head =
          outcomes.length === 0
            ? 'It has no tests.'
            : `${outcomes.length - failed.length} of ${outcomes.length} tests passed.`;
        return success(context.callId, [head, ...lines].join('\n'), {
          summary: head,
          structured: { name, tests: outcomes },
        });
      }),
  }) as AnyTool;
}
