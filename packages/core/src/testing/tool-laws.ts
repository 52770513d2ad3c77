import type { ToolResult } from '../contracts/results/result.ts';
import type { AnyTool } from '../contracts/tools/tool.ts';
import type { Workspace } from '../contracts/workspace/workspace.ts';
import { createDispatcher } from '../dispatch/dispatcher.ts';
import { allowAll } from '../workspace/permission-engines.ts';
import { collectEvents } from './collect-events.ts';

/** The functions of a test runner that these suites require. Compatible with vitest, jest and wrappers of node:test. */
export interface TestApi {
  readonly describe: (name: string, body: () => void) => void;
  readonly it: (name: string, body: () => Promise<void> | void) => void;
  readonly expect: (actual: unknown) => { toEqual(expected: unknown): void };
}

/** The tool under test, with valid and invalid arguments. */
export interface ToolLaws {
  /** Creates a new instance of the tool for each test. */
  readonly create: () => AnyTool | Promise<AnyTool>;
  /** Arguments that match the schema. The calls may still fail. */
  readonly valid: readonly unknown[];
  /** Arguments that must be rejected before the body runs. */
  readonly invalid: readonly unknown[];
  readonly workspace?: Workspace;
}

/**
 * Tests the rules for every tool, with any test runner: one result and one pair of events per call, rejection of
 * invalid arguments, no work after a cancellation, results that survive JSON, and a correct read-only trait.
 */
export function describeTool({ describe, it, expect }: TestApi, laws: ToolLaws): void {
  const run = async (
    args: unknown,
    signal?: AbortSignal,
  ): Promise<{
    readonly tool: AnyTool;
    readonly result: ToolResult;
    readonly ran: boolean;
    readonly actions: readonly string[];
  }> => {
    const tool = await laws.create();
    let ran = false;
    const watched: AnyTool = {
      ...tool,
      execute: (given, context) => {
        ran = true;
        return tool.execute(given, context);
      },
    };
    const collected = collectEvents();
    const dispatcher = createDispatcher({
      registry: [watched],
      permission: allowAll,
      observer: collected.observer,
      ...(laws.workspace ? { workspace: laws.workspace } : {}),
    });
    const call = { id: 'call_1', name: tool.name, arguments: args };
    const result = await dispatcher.dispatch(call, signal ? { signal } : {});
    const actions = collected.actionsOf('call_1').filter((action) => action !== 'execute_progress');
    return { tool, result, ran, actions };
  };

  describe('keeps the rules of tools', () => {
    it('describes itself with an object schema', async () => {
      const tool = await laws.create();
      const schema = tool.input.jsonSchema;
      expect(typeof schema === 'object' && schema.type).toEqual('object');
      expect(tool.description.trim().length > 0).toEqual(true);
    });

    for (const args of laws.valid) {
      it(`answers once for ${show(args)}`, async () => {
        const { tool, result, actions } = await run(args);
        expect(actions).toEqual(['execute_start', 'execute_end']);
        expect([result.callId, result.name]).toEqual(['call_1', tool.name]);
        expect(result.ok || result.error.code !== 'INVALID_ARGS').toEqual(true);
        JSON.stringify(result.structured ?? null);
        const changed = result.effects.some((effect) => effect.kind === 'file' && effect.op !== 'read');
        expect(tool.traits.readOnly && changed).toEqual(false);
      });
      it(`does nothing once cancelled, for ${show(args)}`, async () => {
        const { result, ran, actions } = await run(args, AbortSignal.abort());
        expect([ran, !result.ok && result.error.code, actions]).toEqual([
          false,
          'ABORTED',
          ['execute_start', 'execute_cancelled'],
        ]);
      });
    }

    for (const args of laws.invalid) {
      it(`refuses ${show(args)} before its body runs`, async () => {
        const { result, ran } = await run(args);
        expect([ran, !result.ok && result.error.fault]).toEqual([false, 'model']);
      });
    }
  });
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
