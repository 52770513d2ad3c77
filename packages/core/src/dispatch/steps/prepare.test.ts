import { describe, expect, it } from 'vitest';
import { toolError } from '../../results/tool-error.ts';
import { code, echo, run } from '../../fixtures/run-call.ts';
import type { CallInfo, DispatchMiddleware, Preparation } from '../../contracts/calls/middleware.ts';

const rewrite = (name: string, change: (args: Record<string, unknown>) => Preparation): DispatchMiddleware => ({
  name,
  prepare: ({ arguments: args }: CallInfo) => change({ ...(args as Record<string, unknown>) }),
});
const text = async (middleware: readonly DispatchMiddleware[], args: unknown = { text: 'a' }): Promise<unknown> => {
  const outcome = await run(args, [echo], { middleware });
  return outcome.result.ok ? outcome.result.content[0] : code(outcome);
};

describe('prepare', () => {
  it('applies each middleware to the arguments of the previous one', async () => {
    const add = (letter: string): DispatchMiddleware =>
      rewrite(letter, (args) => ({ arguments: { ...args, text: `${String(args['text'])}${letter}` } }));
    expect(await text([add('b'), add('c')])).toEqual({ type: 'text', text: 'abc' });
  });

  it('coerces rewritten arguments like those of a model, and rejects invalid ones', async () => {
    expect(await text([rewrite('m', (args) => ({ arguments: { ...args, times: '2' } }))])).toEqual({
      type: 'text',
      text: 'aa',
    });
    expect(await text([rewrite('m', () => ({ arguments: null }))])).toBe('INVALID_ARGS');
  });

  it('can end a call with its own error', async () => {
    const limit = rewrite('m', () => ({ reject: toolError('LIMIT_REACHED', 'that was enough') }));
    expect(await text([limit])).toBe('LIMIT_REACHED');
  });

  it('does not run for a call with invalid arguments', async () => {
    let asked = 0;
    const counting = rewrite('m', () => void (asked += 1));
    expect(await text([counting], { text: {} })).toBe('INVALID_ARGS');
    expect(asked).toBe(0);
  });

  it('does not change the arguments of the original call', async () => {
    const given = { text: 'a' };
    const changing: DispatchMiddleware = {
      name: 'm',
      prepare: ({ arguments: args }) => void ((args as Record<string, unknown>)['text'] = 'changed'),
    };
    expect(await text([changing], given)).toBe('EXECUTION_ERROR');
    expect(given).toEqual({ text: 'a' });
  });

  it('copies the returned arguments, so that later changes have no effect', async () => {
    const mine: Record<string, unknown> = { text: 'mine' };
    const keeping = rewrite('m', () => ({ arguments: mine }));
    const spoiling = rewrite('n', () => void (mine['text'] = 'spoiled'));
    expect(await text([keeping, spoiling])).toEqual({ type: 'text', text: 'mine' });
  });

  it('names the middleware that failed', async () => {
    for (const answer of ['arguments', 5, {}, { reject: 'no' }]) {
      const outcome = await run({ text: 'a' }, [echo], { middleware: [rewrite('guard', () => answer as never)] });
      expect(outcome.result).toMatchObject({
        error: { code: 'EXECUTION_ERROR', message: expect.stringContaining('guard') as string },
      });
    }
  });
});
