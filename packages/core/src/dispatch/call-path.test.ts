import { Session } from 'node:inspector/promises';
import { describe, expect, it } from 'vitest';
import { defineTool } from '../define/define-tool.ts';
import type { PermissionEngine } from '../contracts/permission/permission.ts';
import { createDispatcher } from './dispatcher.ts';

/** Returns the source files of core in which a function runs during `act`. */
async function filesTouchedBy(act: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await act();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return (
      result
        .filter(({ url }) => /\/core\/src\/(?!.*\.test\.ts)/.test(url))
        // Vitest creates an anonymous function for each export, which runs wherever the export is used.
        .filter(({ functions }) =>
          functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0),
        )
        .map(({ url }) => url.replace(/^.*\/core\/src\//, '').replace(/\?.*$/, ''))
        .sort()
    );
  } finally {
    session.disconnect();
  }
}

const answer = (args: unknown): string => (args as { readonly text: string }).text;
const tools = [
  { name: 'at_once', execute: answer },
  { name: 'later', execute: async (args: unknown) => answer(args) },
].map((one) =>
  defineTool({ ...one, description: 'd', input: { type: 'object', properties: { text: { type: 'string' } } } }),
);
const permission: PermissionEngine = { ask: () => ({ action: 'allow' }) };
const dispatcher = createDispatcher({ registry: tools, permission, observer: () => undefined });
const snapshot = dispatcher.snapshot();
const call = (name: string): Promise<unknown> =>
  dispatcher.dispatch({ id: 'call_1', name, arguments: '{"text":"a"}' }, { snapshot });

describe('the path of one call', () => {
  it('uses at most 15 files of core with an observer and a synchronous body', async () => {
    await call('at_once');
    expect(await filesTouchedBy(() => call('at_once'))).toEqual(
      [
        'dispatch/call/call-run.ts',
        'dispatch/call/copy-data.ts',
        'dispatch/call/read-call.ts',
        'dispatch/dispatch-call.ts',
        'dispatch/dispatcher.ts',
        'dispatch/steps/execute.ts',
        'dispatch/steps/authorize.ts',
        'dispatch/steps/decode.ts',
        'dispatch/steps/resolve.ts',
        'dispatch/steps/settle.ts',
        'dispatch/steps/tool-context.ts',
        'dispatch/steps/validate.ts',
        'events/call-events.ts',
        'registry/snapshot.ts',
        'results/tool-result.ts',
      ].sort(),
    );
  });

  it('also uses the deadline timer if the body returns a promise', async () => {
    await call('later');
    const [atOnce, later] = [await filesTouchedBy(() => call('at_once')), await filesTouchedBy(() => call('later'))];
    expect(later.filter((file) => !atOnce.includes(file))).toEqual(['dispatch/time/deadline-timer.ts']);
  });
});
