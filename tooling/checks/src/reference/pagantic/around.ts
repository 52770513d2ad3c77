import { join } from 'node:path';
import {
  allowAll,
  createDispatcher,
  createWorkspace,
  defineCliTool,
  defineTool,
  limitCalls,
  renderForModel,
  type AnyTool,
} from '@haft/core';
import * as processes from '@haft/sandbox';
import { expect } from 'vitest';
import { z } from 'zod';
import { codeOf, createGround } from '../ground.ts';
import { makeCall, makeTool, runTool } from '../made-tool.ts';
import type { Shown } from '../walk-features.ts';

/** The surroundings of pagantic's tools, and the tools that it offers. */
export const around: Readonly<Record<string, Shown>> = {
  P26: [
    'a tool can be limited to a folder, a time and a rate',
    async () => {
      const ground = createGround();
      expect(codeOf(await ground.call('read', { path: '../../etc/passwd' }))).toBe('OUTSIDE_READ_ROOTS');
      const never = makeTool({ timeoutMs: 20, execute: () => new Promise(() => undefined) });
      expect(codeOf(await runTool(never))).toBe('TIMEOUT');
      const middleware = [limitCalls([{ tool: 'work', rate: { calls: 1, perMs: 60_000 } }], { maxWaitMs: 5 })];
      const source = createDispatcher({ registry: [makeTool()], middleware });
      const codes = [await source.dispatch(makeCall('work')), await source.dispatch(makeCall('work', {}, 'c2'))].map(
        codeOf,
      );
      expect(codes).toEqual(['ok', 'RATE_LIMITED']);
    },
  ],
  P28: [
    'its example tools take a few lines each; one of them is a program',
    async () => {
      const { folder } = createGround({ files: { 'a.txt': 'tea\nmilk\n' } });
      const calculate = defineTool({
        name: 'calculate',
        description: 'Calculates.',
        kind: 'read',
        input: z.object({ operation: z.enum(['add', 'multiply']), a: z.number(), b: z.number() }),
        execute: ({ operation, a, b }) => String(operation === 'add' ? a + b : a * b),
      });
      const roll = defineTool({
        name: 'roll_dice',
        description: 'Rolls dice.',
        input: z.object({ sides: z.int().min(2).default(6) }),
        execute: ({ sides }) => String(1 + Math.floor(Math.random() * sides)),
      });
      const grep = defineCliTool({
        name: 'grep_files',
        description: 'Searches files.',
        kind: 'read',
        input: z.object({ pattern: z.string() }),
        command: 'grep',
        args: ({ pattern }) => ['-n', '--', pattern, join(folder, 'a.txt')],
        processes,
      });
      const workspace = createWorkspace({ cwd: folder, permission: allowAll });
      const source = createDispatcher({ registry: [calculate, roll, grep] as readonly AnyTool[], workspace });
      const say = async (name: string, args: object): Promise<string> =>
        renderForModel(await source.dispatch(makeCall(name, args)));
      expect(await say('calculate', { operation: 'ADD', a: '2', b: 3 })).toBe('5');
      expect(await say('calculate', { operation: 'divide', a: 1, b: 0 })).toMatch(/INVALID_ARGS[^]*add/);
      expect(Number(await say('roll_dice', {}))).toBeGreaterThan(0);
      expect(await say('grep_files', { pattern: 'milk' })).toMatch(/^2:milk/);
    },
  ],
};
