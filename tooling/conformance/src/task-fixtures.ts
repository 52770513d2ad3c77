import { setTimeout as delay } from 'node:timers/promises';
import { defineTool, failure, toolError, type AnyTool, type ToolContext } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import type { TaskMode } from '@haft/mcp';

/** Turns calls of the suite's tools into tasks. */
export const taskModes: Readonly<Record<string, TaskMode>> = {
  slow_compute: 'slow',
  failing_job: 'required',
  protocol_error_job: 'always',
  confirm_delete: 'always',
  multi_input: 'always',
  test_tool_with_task: 'slow',
};

type Body = (args: Readonly<Record<string, unknown>>, context: ToolContext) => unknown;

function tool(name: string, execute: Body, properties: object = {}): AnyTool {
  return eraseTool(
    defineTool({
      name,
      description: `Fixture of the suite: ${name}.`,
      input: { type: 'object', properties: properties as Record<string, object> },
      traits: { readOnly: true, openWorld: false },
      execute: (args, context) => execute(args, context) as string,
    }),
  );
}

const text = { type: 'string' };
const form = (properties: object): Record<string, unknown> => ({ type: 'object', properties });

function ask({ session }: ToolContext, message: string, properties: object, key: string): Promise<unknown> {
  if (!session.peer?.elicit) throw new Error('the client cannot be asked');
  return session.peer.elicit(message, form(properties), key);
}

/** The tools with which the suite tests tasks. */
export function createTaskTools(): readonly AnyTool[] {
  return [
    tool('greet', ({ name }) => `Hello, ${String(name)}!`, { name: text }),
    tool(
      'slow_compute',
      async ({ seconds }, { signal }) => {
        await delay(Number(seconds ?? 0) * 1_000, undefined, { signal });
        return 'computed';
      },
      { seconds: { type: 'number' }, label: text },
    ),
    tool('failing_job', async (_args, { callId, signal }) => {
      await delay(1_000, undefined, { signal });
      return failure(callId, toolError('EXECUTION_ERROR', 'the job failed', { fault: 'world' }));
    }),
    tool('protocol_error_job', () => {
      throw new Error('the job broke down');
    }),
    tool(
      'confirm_delete',
      async ({ filename }, context) => {
        const answer = await ask(context, `Delete ${String(filename)}?`, { confirm: { type: 'boolean' } }, 'confirm');
        return JSON.stringify(answer);
      },
      { filename: text },
    ),
    tool('multi_input', async (_args, context) => {
      const fields = { name: text, confirm: { type: 'boolean' } };
      const answers = await Promise.all([
        ask(context, 'First?', fields, 'first'),
        ask(context, 'Second?', fields, 'second'),
      ]);
      return JSON.stringify(answers);
    }),
    tool('test_tool_with_task', async (_args, context) => {
      const answer = await ask(context, 'What is your name?', { name: text }, 'user_name');
      await delay(400, undefined, { signal: context.signal });
      return JSON.stringify(answer);
    }),
  ];
}
