import assert from 'node:assert/strict';
import { asCallableTools, createDispatcher, defineTool, renderForModel, toToolCall } from '@haft/core';
import { extractToolCalls } from '@haft/repair';
import { z } from 'zod';

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  kind: 'read',
  input: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => String(a + b),
});
const source = createDispatcher({ registry: [add] });
const tools = asCallableTools(source.snapshot());

// Small models write calls as text, each family in its own format.
const texts = [
  'Let me add.\n<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}}</tool_call>',
  '[TOOL_CALLS][{"name": "add", "arguments": {"a": 1, "b": 2}}]',
  '<function=add>{"a": 1, "b": 2}</function>',
  '```json\n{"name": "add", "parameters": {"a": 1, "b": 2}}\n```',
];
for (const [index, text] of texts.entries()) {
  const [call] = extractToolCalls(text, { tools }).calls;
  assert.ok(call, text);
  assert.equal(renderForModel(await source.dispatch(toToolCall(call, `call_${index}`))), '3');
}

// A call that the token limit cut is never run: a cut path is a wrong path.
const cut = extractToolCalls('<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2', { tools, stopped: 'length' });
assert.equal(cut.calls.length, 0);
assert.equal(cut.rejected[0]?.reason, 'incomplete');

// A call quoted in prose is not a call.
const prose = 'You would write `{"name": "add", "arguments": {"a": 1, "b": 2}}` to add, but there is no need to.';
assert.equal(extractToolCalls(prose, { tools }).calls.length, 0);

console.log(`Calls in text: ${texts.length} formats were read; a cut call and a quoted one were not run.`);
