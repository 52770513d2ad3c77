import { afterEach, describe, expect, it, vi } from 'vitest';
import { defineTool } from '../define/define-tool.ts';
import { createWorkspace } from '../workspace/create-workspace.ts';
import { createDispatcher } from './dispatcher.ts';
import type { DispatcherOptions } from './options/dispatcher-options.ts';

const define = (execute: () => unknown = () => 'x') =>
  defineTool({ name: 't', description: 'd', kind: 'read', execute });
const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
afterEach(() => void emitWarning.mockClear());
const warnings = (): readonly unknown[] => emitWarning.mock.calls.map(([message]) => message);

const call = { id: '1', name: 't', arguments: {} };
const create = (options: Partial<DispatcherOptions> = {}) => createDispatcher({ registry: [define()], ...options });

describe('a host fault without an observer', () => {
  it('becomes one process warning for calls that reach no tool', async () => {
    const dispatcher = create();
    await dispatcher.dispatch({ id: '1', name: 't', args: {} } as never);
    await dispatcher.dispatch(call, { timeout: 5 } as never);
    expect(warnings()).toEqual([
      expect.stringMatching(/^EXECUTION_ERROR: the call of t can't run: the call has `args` instead of `arguments`/),
    ]);
    expect(emitWarning.mock.calls[0]![1]).toBe('HaftWarning');
    await create().dispatch(call, { timeout: 5 } as never);
    expect(warnings()[1]).toMatch(/context\.timeout is not an option \(did you mean timeoutMs\?\)/);
  });

  it('becomes one process warning for each tool', async () => {
    const dispatcher = create({ permission: { ask: () => true as never } });
    await dispatcher.dispatch(call);
    await dispatcher.dispatch(call);
    expect(warnings()).toEqual([expect.stringContaining('ask must return { action: "allow" }')]);
  });

  it('is masked, and includes the error of a tool whose text the model does not see', async () => {
    const failing = define(() => {
      throw new Error('password=hunter22');
    });
    await create({ registry: [failing] }).dispatch(call);
    expect(warnings()).toEqual([]);
    await create({ registry: [failing], errors: 'redact' }).dispatch(call);
    expect(warnings()).toEqual([expect.stringContaining('EXECUTION_ERROR: t threw')]);
    expect(warnings()[0]).not.toContain('hunter22');
  });

  it('is one short line without characters that control a terminal', async () => {
    const failing = define(() => {
      throw new Error(`no\0stock\n\u001B[2J\u202E${'x'.repeat(5_000)}`);
    });
    await create({ registry: [failing], errors: 'redact' }).dispatch(call);
    expect(warnings()[0]).toMatch(/no stock \[2J x+ \(shown once/);
    expect(String(warnings()[0]).length).toBeLessThan(1_200);
  });

  it('goes to the logger of the workspace if there is one', async () => {
    const error = vi.fn();
    const logger = { debug() {}, info() {}, warn() {}, error };
    const dispatcher = create({ workspace: createWorkspace({ cwd: '/', logger }) });
    await dispatcher.dispatch(call, { timeout: 5 } as never);
    expect(error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('context.timeout is not an option'));
    expect(warnings()).toEqual([]);
  });

  it('is not repeated as a warning if there is an observer, and other faults never are', async () => {
    await create({ observer: () => undefined }).dispatch(call, { timeout: 5 } as never);
    await create().dispatch({ ...call, name: 'other' });
    expect(warnings()).toEqual([]);
  });
});
