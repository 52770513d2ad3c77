import { extractToolCalls } from '@haft/repair';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../define/define-tool.ts';
import { createDispatcher } from './dispatcher.ts';
import { asCallableTools } from './to-tool-call.ts';

const read = defineTool({
  name: 'read',
  description: 'Reads a file.',
  kind: 'read',
  input: z.object({ path: z.string() }),
  execute: ({ path }) => `content of ${path}`,
});
const tools = asCallableTools(createDispatcher({ registry: [read] }).snapshot());
const extract = (text: string): ReturnType<typeof extractToolCalls> =>
  extractToolCalls(text, { tools, stopped: 'stop' });

describe('a call in a code fence between two pieces of prose', () => {
  const bodies = [
    '{"name": "read", "arguments": {"path": "a.txt"}}',
    '{"tool": "read", "parameters": {"path": "a.txt"}}',
    '[{"name": "read", "arguments": {"path": "a.txt"}}]',
    '{"name": "read", "arguments": {"path": "a.t',
    '{"name": "read", "arguments": {}}',
    'read(path="a.txt")',
    'read("a.txt")',
    'read({"path": "a.txt"})',
    'await read({path: "a.txt"})',
    'result = read(path="a.txt")\nprint(result)',
    '# First, the file.\nread(path="a.txt")',
    '<tool_call>{"name": "read", "arguments": {"path": "a.txt"}}</tool_call>',
    '<function=read><parameter=path>a.txt</parameter></function>',
  ];
  const infos = ['', 'json', 'python', 'tool_call', 'tool_code', 'xml', 'bash', 'text', 'js'];
  const places: readonly (readonly [string, string])[] = [
    ['Let me check.\n', '\nDone.'],
    ['First, I look at the file:\n\n', '\n\nThen I summarize what it says, and we go on with the next step.'],
    ['The format of a call is:\n', '\nUse it like this.'],
    ['You can call the tool like so:\n\n', '\n\nLet me know if it helps.'],
  ];

  it.each(bodies)('is extracted or reported in `rejected`, whatever the fence and the prose: %s', (body) => {
    const silent = infos.flatMap((info) =>
      places
        .map(([before, after]) => `${before}\`\`\`${info}\n${body}\n\`\`\`${after}`)
        .filter((text) => {
          const { calls, rejected } = extract(text);
          return calls.length === 0 && rejected.length === 0;
        }),
    );
    expect(silent).toEqual([]);
  });

  it('runs when the prose announces it', () => {
    const { calls } = extract(`I read it now.\n\`\`\`json\n${bodies[0]}\n\`\`\`\nThen I tell you what it says.`);
    expect(calls).toMatchObject([{ name: 'read', arguments: { path: 'a.txt' } }]);
  });
});
