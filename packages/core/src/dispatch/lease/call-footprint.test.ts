import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../contracts/workspace/session.ts';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import { createWorkspace } from '../../workspace/create-workspace.ts';
import { evil } from '../../fixtures/hostile.ts';
import { body } from '../../fixtures/run-call.ts';
import { createDispatcher } from '../dispatcher.ts';

/** Returns the footprint that an engine receives at each of two calls, and the logged warnings. */
async function play(footprint: () => unknown, warn?: () => never) {
  const warnings: { readonly message: string; readonly reason: unknown }[] = [];
  const asked: unknown[] = [];
  const dispatcher = createDispatcher({
    registry: [body(() => 'ran', { footprint: footprint as NonNullable<AnyTool['footprint']> })],
    permission: { ask: (request) => (asked.push(request.footprint), { action: 'allow' }) },
    workspace: createWorkspace({
      cwd: '/',
      logger: {
        ...silentLogger,
        warn: warn ?? ((message, data) => void warnings.push({ message, reason: data?.['reason'] })),
      },
    }),
  });
  const call = { id: '1', name: 'body', arguments: {} };
  const results = [await dispatcher.dispatch(call), ...(await dispatcher.dispatchBatch([call, call]))];
  expect(results.map((result) => result.ok)).toEqual([true, true, true]);
  return { warnings, asked };
}

const everything = { reads: [], writes: ['*'] };

describe('a footprint', () => {
  it.each<[string, () => unknown, string]>([
    ['throws', () => evil(), ''],
    ['answers nothing', () => undefined, 'undefined'],
    ['answers a promise', async () => ({ reads: [], writes: [] }), 'it returned a promise'],
    ['leaves a member out', () => ({ writes: [] }), 'reads must be an array of keys'],
    ['names one key as text', () => ({ reads: 'a', writes: [] }), 'reads must be an array of keys'],
    ['names what is no text', () => ({ reads: [], writes: [5] }), 'must be a string'],
  ])('that %s counts as all resources and logs one warning', async (_, footprint, reason) => {
    const { warnings, asked } = await play(footprint);
    expect(asked).toEqual([everything, everything, everything]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]!.message).toContain('the footprint of body is not valid');
    expect(warnings[0]!.reason).toContain(reason);
  });

  it.each(['/etc/passwd', './a', '../a', '~/a'])(
    'that contains %s without file: counts as all resources',
    async (key) => {
      const { warnings, asked } = await play(() => ({ reads: [key], writes: [] }));
      expect(asked).toEqual([everything, everything, everything]);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]!.reason).toContain(`"${key}" looks like a path; write files as 'file:'`);
    },
  );

  it('with files, custom resources or all resources is used unchanged, without a warning', async () => {
    const footprint = { reads: ['file:/a', 'db:users', '.hidden', '~'], writes: ['*'] };
    const { warnings, asked } = await play(() => footprint);
    expect(asked).toEqual([footprint, footprint, footprint]);
    expect(warnings).toEqual([]);
  });

  it('that fails does not fail the call, even if the logger fails too', async () => {
    expect((await play(evil, evil)).asked).toEqual([everything, everything, everything]);
  });
});
