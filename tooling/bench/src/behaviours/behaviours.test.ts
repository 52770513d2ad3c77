import { readFileSync } from 'node:fs';
import { comparedAgents } from '@haft-tooling/peers/behaviours/agents';
import { beforeAll, describe, expect, it } from 'vitest';

import { replaceTable, toBehavioursTable } from './behaviours-table.ts';
import { judgeBehaviour, type Behaviour, type ObservedRun } from './judge-behaviour.ts';
import { measureBehaviours, type MeasuredAgent } from './measure-behaviours.ts';
import { scenarios } from './scenarios.ts';

const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
const shownFirst = comparedAgents.filter((agent) => agent.isShownFirst);
let measured: readonly MeasuredAgent[] = [];

beforeAll(async () => {
  measured = await measureBehaviours(shownFirst);
}, 300_000);

describe('what agents do with the mistakes of models and tools', () => {
  it.each<[id: string, expected: Behaviour]>([
    ['broken', 'runs as meant'],
    ['string', 'runs as meant'],
    ['cut', 'fails, the model learns why'],
    ['text', 'runs as meant'],
    ['name', 'fails, the model learns why'],
    ['invalid', 'fails, the model learns why'],
  ])('Haft handles the mistake "%s": %s', (id, expected) => {
    const haft = measured.find(({ agent }) => agent.name === 'Haft');
    expect(haft?.behaviours[scenarios.findIndex((scenario) => scenario.id === id)]).toBe(expected);
  });

  it('is what the first table of the root README says', () => {
    expect(measured.map(({ agent }) => agent.name)).toEqual(['Haft', 'AI SDK', 'Mastra', 'LangChain', 'pi']);
    const table = toBehavioursTable(measured);
    expect(replaceTable(readme, table), 'run pnpm bench behaviours --write').toBe(readme);
    expect(readme.slice(readme.indexOf('\n|') + 1).startsWith(table)).toBe(true);
  });
});

describe('judgeBehaviour', () => {
  const scenarioOf = (id: string) => scenarios.find((scenario) => scenario.id === id)!;
  const user = { role: 'user', content: 'Go.' };
  const observed = (received: readonly unknown[], told?: string, hasFailed = false): ObservedRun => ({
    received,
    hasFailed,
    requests: [
      { messages: [user] },
      ...(told === undefined
        ? []
        : [{ messages: [user, { role: 'assistant', content: 'JSON guests' }, { role: 'tool', content: told }] }]),
    ],
  });

  it.each<[id: string, run: ObservedRun, expected: Behaviour]>([
    ['broken', observed([{ guests: 3, room: 'blue' }], 'booked'), 'runs as meant'],
    ['broken', observed([{ guests: 3 }], 'booked'), 'runs another value'],
    ['broken', observed([], 'invalid JSON at position 1'), 'fails, the model learns why'],
    ['broken', observed([], 'something went wrong'), 'fails, the model does not learn why'],
    ['cut', observed([{ guests: 3, room: 'blu' }], 'booked'), 'runs a half value'],
    [
      'thrown',
      observed([{ guests: 3, room: 'blue' }], 'Error: blue is closed on Mondays'),
      'fails, the model learns why',
    ],
    ['thrown', observed([{ guests: 3, room: 'blue' }], 'failed'), 'fails, the model does not learn why'],
    ['text', observed([]), 'nothing happens'],
    ['cut', observed([], undefined, true), 'the run ends with an error'],
  ])('judges the scenario %s by what the tool received and what the model was told: %#', (id, run, expected) => {
    expect(judgeBehaviour(scenarioOf(id), run)).toBe(expected);
  });
});
