import assert from 'node:assert/strict';
import { allowAll, defineTool } from '@haft/core';
import { createSteerQueue, runAgent } from '@haft/runner';
import { scriptedModel } from '@haft/runner/testing';
import { z } from 'zod';

// In your program: aiSdkModel(provider('…')) of @haft/ai-sdk, or twenty lines that implement Model. This one plays a
// script.
const model = scriptedModel([
  { calls: [{ name: 'look_up', arguments: "{word: 'tea',}" }] },
  '<tool_call>{"name": "look_up", "arguments": {"word": "milk"}}</tool_call>',
  { text: '', finishReason: 'stop' }, // models sometimes return nothing: it is asked again
  'Tea and milk are drinks.',
]);
const steer = createSteerQueue();
const asked: string[] = [];
const lookUp = defineTool({
  name: 'look_up',
  description: 'Looks up a word.',
  kind: 'read',
  input: z.object({ word: z.string() }),
  execute: ({ word }) => {
    asked.push(word);
    // The user types while the model works: it reads that before its next turn.
    if (word === 'tea') steer.steer('And milk, please.', { source: 'terminal', trusted: true });
    return `${word}: a drink`;
  },
});
const result = await runAgent({
  model,
  tools: [lookUp],
  prompt: 'What is tea?',
  permission: allowAll,
  steer,
  retries: { delayMs: 1 },
});

assert.equal(result.stopReason, 'finished');
assert.equal(result.text, 'Tea and milk are drinks.');
assert.deepEqual(asked, ['tea', 'milk']);
assert.match(JSON.stringify(model.requests[1]?.messages), /And milk, please\./);
// The history never contains a damaged call, so every provider accepts it.
assert.deepEqual(
  result.calls.map(({ call }) => call.arguments),
  [{ word: 'tea' }, { word: 'milk' }],
);

const next = await runAgent({ model: scriptedModel(['Yes.']), messages: result.messages, prompt: 'Sure?' });
assert.equal(next.text, 'Yes.');

console.log(
  'The loop: a damaged call, a call in text, an empty answer and a message from the user, and the run continued to its end.',
);
