import { describe, expect, it } from 'vitest';
import type { RunDetails, RunTurn } from '../../../src/contract/run-data.ts';
import { compareRuns } from './compare-runs.ts';

let count = 0;
const call = (args: string, forModel: string): RunTurn['calls'][number] => ({
  id: `call_${(count += 1)}`,
  name: 'read',
  arguments: args,
  state: 'ok',
  forModel,
});
const turn = (text: string, calls: RunTurn['calls'] = []): RunTurn => ({
  turn: 1,
  added: [],
  tools: 1,
  reasoning: '',
  text,
  calls,
  finish: 'stop',
});
const run = (...steps: readonly RunTurn[]): RunDetails => ({
  id: 'a',
  runId: 'a',
  model: 'm',
  startedAt: 0,
  state: 'finished',
  prompt: '',
  turns: steps.length,
  calls: 0,
  text: '',
  steps,
  spanMs: 0,
  canReplay: false,
});

describe('compareRuns', () => {
  it('treats runs as equal whatever their IDs and times', () => {
    const make = (): RunDetails => run(turn('I look.', [call('{"path":"a"}', 'milk')]), turn('Done.'));
    expect(compareRuns(make(), make()).map(({ isSame }) => isSame)).toEqual([true, true]);
  });

  it('names the differences in a turn, and the turns that only one run has', () => {
    const left = run(turn('I look.', [call('{"path":"a"}', 'milk')]), turn('Done.'));
    const right = run(turn('I look.', [call('{"path":"b"}', 'milk'), call('{}', 'more')]));
    const [first, second] = compareRuns(left, right);
    expect(first!.rows.filter(({ isSame }) => !isSame).map(({ title, left: a }) => [title, a])).toEqual([
      ['Call 1', 'read {"path":"a"}'],
      ['Call 2', undefined],
      ['Result of call 2', undefined],
    ]);
    expect(second).toEqual({
      turn: 2,
      isSame: false,
      rows: [{ title: 'Answer of the model', left: 'Done.', right: undefined, isSame: false }],
    });
  });
});
