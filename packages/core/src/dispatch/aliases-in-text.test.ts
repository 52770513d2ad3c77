import { extractToolCalls } from '@haft/repair';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../define/define-tool.ts';
import { createDispatcher } from './dispatcher.ts';
import { asCallableTools, toToolCall } from './to-tool-call.ts';

const read = defineTool({
  name: 'read',
  description: 'Reads a file.',
  kind: 'read',
  aliases: { path: ['file_path', 'filename'] },
  input: z.object({ path: z.string() }),
  execute: ({ path }) => `content of ${path}`,
});
const { dispatch, snapshot } = createDispatcher({ registry: [read] });
const tools = asCallableTools(snapshot());
const extract = (text: string): ReturnType<typeof extractToolCalls> =>
  extractToolCalls(text, { tools, stopped: 'stop' });

describe('a call in text that uses an alias of an argument', () => {
  const call = '{"name": "read", "arguments": {"file_path": "a.txt"}}';

  it.each([
    ['bare JSON', call],
    ['fenced JSON', `\`\`\`json\n${call}\n\`\`\``],
    ['a function call', 'read(file_path="a.txt")'],
    ['a fenced function call', '```python\nread(filename="a.txt")\n```'],
    ['JSON with the tool as key', '{"read": {"filename": "a.txt"}}'],
    ['JSON in tags', `<tool_call>${call}</tool_call>`],
    ['nested tags', '<function=read><parameter=file_path>a.txt</parameter></function>'],
  ])('runs with the declared name when it is written as %s', async (_, text) => {
    const { calls, rejected } = extract(text);
    expect(rejected).toEqual([]);
    expect(calls).toHaveLength(1);
    const result = await dispatch(toToolCall(calls[0]!, 'c1', 'stop'));
    expect(result).toMatchObject({ ok: true, content: [{ type: 'text', text: 'content of a.txt' }] });
  });

  it.each(['{"name": "read", "arguments": {"color": "red"}}', 'read(color="red")'])(
    'is still refused when a required argument has neither its name nor an alias: %s',
    (text) => {
      expect(extract(text)).toMatchObject({ calls: [], rejected: [{ reason: 'invalid_arguments', name: 'read' }] });
    },
  );
});
