import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { replaceTable, toBehavioursTable } from './behaviours-table.ts';
import { judgeBehaviour, type Behaviour, type ObservedRun } from './judge-behaviour.ts';
import { measureBehaviours, type MeasuredAgent } from './measure-behaviours.ts';
import { scenarios } from './scenarios.ts';

const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
let measured: readonly MeasuredAgent[] = [];

beforeAll(async () => {
  measured = await measureBehaviours();
}, 300_000);

describe('the behaviour of agents after mistakes of models and tools', () => {
  it.each<[id: string, expected: Behaviour]>([
    ['broken', 'runs as meant'],
    ['string', 'runs as meant'],
    ['cut', 'fails, model told why'],
    ['text', 'runs as meant'],
    ['name', 'fails, model told why'],
    ['invalid', 'fails, model told why'],
  ])('Haft handles the mistake "%s": %s', (id, expected) => {
    const haft = measured.find(({ agent }) => agent.name === 'Haft');
    expect(haft?.behaviours[scenarios.findIndex((scenario) => scenario.id === id)]).toBe(expected);
  });

  it('matches the first table of the root README', () => {
    const names = ['Haft', 'AI SDK', 'Mastra', 'LangChain', 'pi', 'AI SDK with `@haft/ai-sdk`'];
    expect(measured.map(({ agent }) => agent.name)).toEqual(names);
    const table = toBehavioursTable(measured);
    expect(replaceTable(readme, table), 'run pnpm bench behaviours --write').toBe(readme);
    expect(readme.slice(readme.indexOf('\n|') + 1).startsWith(table)).toBe(true);
  });
});

describe('judgeBehaviour', () => {
  const scenarioOf = (id: string) => scenarios.find((scenario) => scenario.id === id)!;
  const user = { role: 'user', content: 'Go.' };
  const observed = (received: readonly unknown[], answer?: string, hasFailed = false): ObservedRun => ({
    received,
    hasFailed,
    requests: [
      { messages: [user] },
      ...(answer === undefined
        ? []
        : [{ messages: [user, { role: 'assistant', content: 'JSON guests' }, { role: 'tool', content: answer }] }]),
    ],
  });

  it.each<[id: string, run: ObservedRun, expected: Behaviour]>([
    ['broken', observed([{ guests: 3, room: 'blue' }], 'booked'), 'runs as meant'],
    ['broken', observed([{ guests: 3 }], 'booked'), 'runs another value'],
    ['broken', observed([], 'invalid JSON at position 1'), 'fails, model told why'],
    ['broken', observed([], 'something went wrong'), 'fails, model not told why'],
    ['cut', observed([{ guests: 3, room: 'blu' }], 'booked'), 'runs the cut value'],
    ['thrown', observed([{ guests: 3, room: 'blue' }], 'Error: blue is closed on Mondays'), 'fails, model told why'],
    ['thrown', observed([{ guests: 3, room: 'blue' }], 'failed'), 'fails, model not told why'],
    ['text', observed([]), 'nothing happens'],
    ['cut', observed([], undefined, true), 'run ends'],
  ])('judges the scenario %s by the received arguments and the messages to the model: %#', (id, run, expected) => {
    expect(judgeBehaviour(scenarioOf(id), run)).toBe(expected);
  });
});
