import { readFileSync, writeFileSync } from 'node:fs';
import { countRow, exactly, type Bar, type Benchmark, type MeasuredRow } from '@haft-tooling/measure';
import { replaceTable, toBehavioursTable } from './behaviours-table.ts';
import { goodBehaviours, type Behaviour } from './judge-behaviour.ts';
import { measureBehaviours } from './measure-behaviours.ts';
import { scenarios } from './scenarios.ts';

const readme = new URL('../../../../README.md', import.meta.url);

/** Compares the behaviour of agents when a model or a tool makes a mistake. */
export const behavioursBenchmark: Benchmark = {
  summary: 'What agents do with seven mistakes of a model or a tool, against one server that plays scripted answers.',
  async run({ log, attach, isWritten }) {
    const measured = await measureBehaviours(log);
    const table = toBehavioursTable(measured);
    log(table);
    attach(
      [
        'Every agent is set up as its documentation recommends and asks the same loopback server, which speaks the chat API of OpenAI. A cell is decided by what the body of the tool received and what the next request told the model. The last column is the agent of the AI SDK with tools of Haft, with `readTextCalls` of `@haft/ai-sdk` around its model, and with `repairToolCall` in its hook.',
        '',
        table,
      ].join('\n'),
    );
    if (isWritten) writeFileSync(readme, replaceTable(readFileSync(readme, 'utf8'), table));
    const row = (
      what: string,
      unit: string,
      bar: Bar,
      count: (behaviours: readonly Behaviour[]) => number,
    ): MeasuredRow => {
      const [haft = 0, ...peers] = measured.map(({ behaviours }) => count(behaviours));
      const names = measured.slice(1).map(({ agent }) => agent.name);
      return countRow(what, unit, haft, Object.fromEntries(names.map((name, index) => [name, peers[index] ?? 0])), bar);
    };
    return [
      row(
        'Mistakes that a run does not survive: the call does not run as meant, and the model does not learn why',
        'mistakes',
        exactly(0),
        (behaviours) => behaviours.filter((behaviour) => !goodBehaviours.has(behaviour)).length,
      ),
      row(
        'Mistakes that leave no doubt of the meaning: run as meant without another request',
        '%',
        exactly(100, '%'),
        (behaviours) => {
          const certain = behaviours.filter((_, index) => scenarios.at(index)?.isCertain ?? false);
          return Math.round((100 * certain.filter((one) => one === 'runs as meant').length) / certain.length);
        },
      ),
      row(
        'Mistakes after which the tool runs with a value that the model did not mean',
        'mistakes',
        exactly(0),
        (behaviours) => behaviours.filter((one) => one === 'runs the cut value' || one === 'runs another value').length,
      ),
    ];
  },
};
