/**
 * Runs an agent for 500 turns. Prints as JSON by how many bytes the heap grew from turn 100 to the last turn, and the
 * size of a copy of the messages and calls that were added meanwhile. Needs `--expose-gc`.
 */
import { allowAll, defineTool, type Model, type ModelEvent } from '@haft/core';
import { runAgent } from '@haft/runner';
import { keptMemory } from '@haft-tooling/measure';
import { sampleArguments, sampleBody, sampleInput } from '@haft-tooling/peers/dispatch/sample-tool';

const turns = 500;
const from = 100;
const heap = async (): Promise<number> => (await keptMemory()).heapUsed;

const tool = defineTool({ name: 'sample', description: 'A sample.', input: sampleInput, execute: sampleBody });
let requests = 0;
let early = 0;
let late = 0;
const model: Model = {
  name: 'sample',
  async *generate(): AsyncIterable<ModelEvent> {
    requests += 1;
    if (requests === from) early = await heap();
    if (requests === turns) late = await heap();
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
const before = await heap();
const copy = {
  messages: structuredClone(messages.slice(from * perTurn, turns * perTurn)),
  calls: structuredClone(calls.slice(from, turns)),
};
const history = (await heap()) - before;
process.stdout.write(JSON.stringify({ grown: late - early, history, kept: copy.messages.length + copy.calls.length }));
