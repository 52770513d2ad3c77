import { describe, expect, it } from 'vitest';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import type { ToolEvent } from '../../events/tool-event.ts';
import { defineTool } from '../../define/define-tool.ts';
import { allowAll } from '../../workspace/permission-engines.ts';
import { createWorkspace } from '../../workspace/create-workspace.ts';
import { toolError, transient } from '../../results/tool-error.ts';
import { failure, success } from '../../results/tool-result.ts';
import { createDispatcher } from '../dispatcher.ts';
import { type DispatcherOptions } from '../options/dispatcher-options.ts';
import type { CallRetries } from '../options/retry-options.ts';

/** A tool that fails several times before it succeeds. Its clock only advances during delays. */
function createScene(failures: readonly (() => unknown)[], more: Partial<AnyTool> = {}, given: CallRetries = {}) {
  let time = 1_000;
  const pauses: number[] = [];
  const seen: unknown[] = [];
  const events: ToolEvent[] = [];
  const tool: AnyTool = {
    ...defineTool({
      name: 'fetch_page',
      description: 'd',
      kind: 'read',
      input: { type: 'object' },
      execute: (args, { callId }) => {
        seen.push(structuredClone(args));
        args['tries'] = 'changed';
        return failures[seen.length - 1]?.() ?? success(callId, 'page');
      },
    }),
    ...more,
  };
  const retries: CallRetries = {
    random: () => 1,
    wait: async (ms) => {
      pauses.push(ms);
      time += ms;
    },
    ...given,
  };
  const options: DispatcherOptions = {
    registry: [tool],
    permission: allowAll,
    workspace: createWorkspace({ cwd: '/', now: () => time }),
    observer: (event) => void events.push(event),
    retries,
  };
  const call = async (changes: Partial<DispatcherOptions> = {}, context = {}) => {
    const source = createDispatcher({ ...options, ...changes });
    const result = await source.dispatch({ id: '1', name: 'fetch_page', arguments: { url: 'x' } }, context);
    return { result, outcome: result.ok ? 'ok' : result.error.code };
  };
  return { call, pauses, seen, events };
}

const lost = (details?: Readonly<Record<string, unknown>>) => () => {
  throw toolError('CONNECTION_LOST', 'reset', details === undefined ? {} : { details });
};

describe('a call with a temporary failure', () => {
  it('is retried with growing delays and the same arguments, and has one result', async () => {
    const effect = { kind: 'process', command: 'ping', background: false } as const;
    const second = () => failure('1', toolError('CONNECTION_LOST', 'reset'), { effects: [effect] });
    const { call, pauses, seen, events } = createScene([lost(), second]);
    const { result } = await call();
    expect(result).toMatchObject({ ok: true, metadata: { attempts: 3 }, effects: [effect] });
    expect([pauses, seen]).toEqual([
      [500, 1_000],
      [{ url: 'x' }, { url: 'x' }, { url: 'x' }],
    ]);
    expect(events.map(({ action }) => action)).toEqual([
      'execute_start',
      'execute_progress',
      'execute_progress',
      'execute_end',
    ]);
    expect(result.durationMs).toBe(1_500);
  });

  it('fails with the last error after the maximum number of attempts', async () => {
    const { call, seen } = createScene([lost(), lost(), lost(), lost()], {}, { max: 1 });
    expect([(await call()).outcome, seen.length]).toEqual(['CONNECTION_LOST', 2]);
  });

  it('keeps the effects of earlier attempts if the last one throws or the pause is cancelled', async () => {
    const effect = { kind: 'process', command: 'ping', background: false } as const;
    const first = () => failure('1', toolError('CONNECTION_LOST', 'reset'), { effects: [effect] });
    const { call } = createScene([first, lost()], {}, { max: 1 });
    expect((await call()).result).toMatchObject({ ok: false, metadata: { attempts: 2 }, effects: [effect] });

    const stop = new AbortController();
    const wait = async () => stop.abort();
    const { call: cancelled } = createScene([first], {}, { wait });
    const { result } = await cancelled({}, { signal: stop.signal });
    expect(result).toMatchObject({ ok: false, error: { code: 'ABORTED' }, effects: [effect] });
  });

  it('is not retried by default', async () => {
    const { call, seen } = createScene([lost()]);
    const { call: never, seen: once } = createScene([lost()], {}, { max: 0 });
    expect([(await call({ retries: undefined as never })).outcome, seen.length]).toEqual(['CONNECTION_LOST', 1]);
    expect([(await never()).outcome, once.length]).toEqual(['CONNECTION_LOST', 1]);
  });

  it('is not retried if the tool has side effects and is not idempotent', async () => {
    const writes = defineTool({ name: 'w', description: 'd', input: { type: 'object' }, execute: () => 'x' }).traits;
    const { call, seen } = createScene([lost()], { traits: writes });
    expect([(await call()).outcome, seen.length]).toEqual(['CONNECTION_LOST', 1]);
    const idempotent = createScene([lost()], { traits: { ...writes, idempotent: true } });
    expect([(await idempotent.call()).outcome, idempotent.seen.length]).toEqual(['ok', 2]);
  });

  it('is not retried if the failure is not retryable', async () => {
    for (const fail of [
      () => failure('1', toolError('REMOTE_ERROR', 'no such page')),
      () => {
        throw new Error('bug');
      },
      () => () => undefined,
    ]) {
      const { call, seen } = createScene([fail]);
      await call();
      expect(seen.length).toBe(1);
    }
    const busy = createScene([
      () => {
        throw transient('fetch', 'busy');
      },
    ]);
    expect((await busy.call()).outcome).toBe('ok');
  });

  it('is retried after the requested delay, unless the delay is too long', async () => {
    const soon = createScene([lost({ retryAfterMs: 7_000 })]);
    expect([(await soon.call()).outcome, soon.pauses]).toEqual(['ok', [7_000]]);
    const late = createScene([lost({ retryAfterMs: 61_000 })]);
    expect([(await late.call()).outcome, late.pauses]).toEqual(['CONNECTION_LOST', []]);
    const afterDeadline = createScene([lost({ retryAfterMs: 30_000 })], { timeoutMs: 20_000 });
    expect([(await afterDeadline.call()).outcome, afterDeadline.pauses]).toEqual(['CONNECTION_LOST', []]);
  });

  it('is retried with jitter, so that calls that failed together do not retry together', async () => {
    const pausesFor = async (random: number): Promise<readonly number[]> => {
      const { call, pauses } = createScene([lost(), lost()], {}, { random: () => random });
      await call();
      return pauses;
    };
    expect([await pausesFor(0), await pausesFor(0.5), await pausesFor(1)]).toEqual([
      [250, 500],
      [375, 750],
      [500, 1_000],
    ]);
    expect(await pausesFor(Number.NaN)).toEqual([]);
  });

  it('is not retried after a cancellation, even between two attempts', async () => {
    const stop = new AbortController();
    const wait = (): Promise<void> => (stop.abort(), new Promise(() => undefined));
    const { call, seen } = createScene([lost()], {}, { wait });
    expect([(await call({}, { signal: stop.signal })).outcome, seen.length]).toEqual(['ABORTED', 1]);
  });

  it('is a single call for middleware', async () => {
    const { call, seen } = createScene([lost()]);
    let entered = 0;
    const middleware = [{ name: 'm', around: (_: unknown, next: () => Promise<never>) => ((entered += 1), next()) }];
    expect([(await call({ middleware })).outcome, seen.length, entered]).toEqual(['ok', 2, 1]);
  });

  it('times out at its single deadline if a later attempt hangs', async () => {
    const { call, seen } = createScene([lost(), () => new Promise(() => undefined)], { timeoutMs: 700 });
    const { outcome } = await call({ cancelGraceMs: 1 });
    expect([outcome, seen.length]).toEqual(['TIMEOUT', 2]);
  });

  it('rejects invalid retry options', () => {
    for (const retries of [{ max: -1 }, { max: 1.5 }, { delayMs: 0 }, { maxDelayMs: Number.NaN }, { wait: 5 }]) {
      expect(() => createDispatcher({ registry: [], retries: retries as never })).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTION' }),
      );
    }
  });
});
