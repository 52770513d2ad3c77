import { toAiSdkTools } from '@haft/ai-sdk';
import {
  allowAll,
  createDispatcher,
  defineTool,
  renderForModel,
  ToolRegistry,
  type DispatcherOptions,
} from '@haft/core';
import { createConnection, serve } from '@haft/mcp';
import { runAgent } from '@haft/runner';
import { scriptedModel } from '@haft/runner/testing';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolkit } from './create-toolkit.ts';

const rollDice = defineTool({
  name: 'roll_dice',
  description: 'Rolls dice.',
  kind: 'read',
  input: z.strictObject({ count: z.number() }),
  execute: ({ count }) => {
    throw new Error(`count must be 1-10, got ${count} (/home/ada/dice.json)`);
  },
});
const args = { count: 99 };
const shown = 'the tool roll_dice failed: count must be 1-10, got 99 ([path])';

/** Calls the tool through every entry point, and returns what each model or client reads. */
async function readEverywhere(errors: DispatcherOptions['errors']): Promise<readonly string[]> {
  const option = errors === undefined ? {} : { errors };
  await using toolkit = await createToolkit({ builtins: false, tools: [rollDice], permission: allowAll, ...option });
  const dispatched = await toolkit.dispatch({ id: '1', name: 'roll_dice', arguments: args });

  const model = scriptedModel([{ calls: [{ name: 'roll_dice', arguments: args }] }, 'done']);
  await runAgent({ model, tools: [rollDice], prompt: 'Roll.', ...option });

  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const server = serve(toolkit, { transport: serverSide });
  const registry = new ToolRegistry();
  const connection = await createConnection({ transport: clientSide, name: 'dice', registry });
  const call = { id: '1', name: connection.tools[0]!.name, arguments: args };
  const answered = await createDispatcher({ registry, permission: allowAll }).dispatch(call);
  await connection.close();
  await server.close();

  const { roll_dice: tool } = toAiSdkTools([rollDice], option);
  const output: unknown = await tool!.execute!(args, { toolCallId: '1', messages: [], context: {} } as never);
  const forModel: unknown = await tool!.toModelOutput!({ toolCallId: '1', input: args, output } as never);
  return [
    renderForModel(dispatched),
    JSON.stringify(model.requests[1]),
    renderForModel(answered),
    JSON.stringify(forModel),
  ];
}

describe('the text of a thrown error', () => {
  it('reaches the model through the toolkit, the loop, an MCP server and the AI SDK, with paths masked', async () => {
    for (const text of await readEverywhere(undefined)) {
      expect(text).toContain(shown);
      expect(text).not.toContain('/home/ada');
    }
  });

  it('is hidden everywhere if errors is "redact"', async () => {
    for (const text of await readEverywhere('redact')) {
      expect(text).not.toContain('1-10');
      expect(text).toMatch(/failed internally/);
    }
  });
});
