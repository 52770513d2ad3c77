/**
 * Runs an agent for 500 turns. Prints as JSON by how many bytes the heap grew from turn 100 to the last turn, and the
 * size of a copy of the messages and calls that were added meanwhile. Needs `--expose-gc`.
 */
import { allowAll, defineTool } from '@haft/core';
import type { Model, ModelEvent } from '@haft/core';
import { runAgent } from '@haft/runner';

import { sampleArguments, sampleBody, sampleInput } from '@haft-tooling/peers/dispatch/sample-tool';

const turns = 500;
const from = 100;
const heap = (): number => {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

const tool = defineTool({ name: 'sample', description: 'A sample.', input: sampleInput, execute: sampleBody });
let requests = 0;
let early = 0;
let late = 0;
const model: Model = {
  name: 'sample',
  async *generate(): AsyncIterable<ModelEvent> {
    requests += 1;
    if (requests === from) early = heap();
    if (requests === turns) late = heap();
    if (requests > turns) yield { type: 'text', text: 'Done.' };
    else yield { type: 'tool-call', id: `call_${requests}`, name: 'sample', arguments: sampleArguments };
    yield { type: 'finish', reason: requests > turns ? 'stop' : 'tool-calls' };
  },
};
let events = 0;
const { messages, calls } = await runAgent({
  model,
  tools: [tool],
  permission: allowAll,
  prompt: 'Go.',
  maxToolIterations: turns + 1,
  onEvent: () => (events += 1),
});
if (calls.length !== turns || events === 0) throw new Error('wrong answer');
const perTurn = (messages.length - 2) / turns;
const before = heap();
const copy = {
  messages: structuredClone(messages.slice(from * perTurn, turns * perTurn)),
  calls: structuredClone(calls.slice(from, turns)),
};
const history = heap() - before;
process.stdout.write(JSON.stringify({ grown: late - early, history, kept: copy.messages.length + copy.calls.length }));
