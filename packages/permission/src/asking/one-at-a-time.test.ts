import { describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../engine/create-permission-engine.ts';
import { calling } from '../fixtures/create-request.ts';
import { once, said } from '../fixtures/permission-ground.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { PermissionAnswer } from './permission-question.ts';

describe('oneAtATime', () => {
  it('asks one question at a time, across sessions and engines, and none of a cancelled call', async () => {
    const asked: string[] = [];
    const answers: ((answer: PermissionAnswer) => void)[] = [];
    const counts: string[] = [];
    let onAsked = (): void => {};
    const ask = oneAtATime(({ tool }) => {
      asked.push(tool);
      onAsked();
      return new Promise((answer) => answers.push(answer));
    });
    const next = (): Promise<void> => new Promise((resolve) => (onAsked = resolve));
    const engines = [createPermissionEngine({ ask }), createPermissionEngine({ ask })];
    const cancelled = new AbortController();
    const first = next();
    const calls = ['a', 'b', 'c', 'd'].map((tool, index) =>
      said(
        engines[index % 2]!.ask(
          calling(
            tool,
            {},
            {
              sessionId: tool,
              setQuestionsAhead: (count) => void counts.push(`${tool}${count}`),
              ...(tool === 'b' && { signal: cancelled.signal }),
            },
          ),
        ),
      ),
    );
    await first;
    // The other questions have reached the line, too.
    await new Promise(setImmediate);
    expect(counts).toContain('d3');
    cancelled.abort();
    expect(await calls[1]).toBe('deny: no-approver');
    for (const expected of [
      ['a', 'c'],
      ['a', 'c', 'd'],
    ]) {
      const shown = next();
      answers.at(-1)!(once);
      await shown;
      expect(asked).toEqual(expected);
    }
    answers.at(-1)!(once);
    expect(await Promise.all(calls)).toEqual(['allow', 'deny: no-approver', 'allow', 'allow']);
    expect(counts.slice(-2)).toEqual(['c0', 'd0']);
  });

  it('asks the next question if one fails', async () => {
    const ask = oneAtATime(({ tool }) => {
      if (tool === 'a') throw new Error('terminal gone');
      return once;
    });
    const engine = createPermissionEngine({ ask });
    const failed = said(engine.ask(calling('a', {}, { sessionId: '1' })));
    expect(await said(engine.ask(calling('b', {}, { sessionId: '2' })))).toBe('allow');
    await expect(failed).rejects.toThrow('terminal gone');
  });
});
