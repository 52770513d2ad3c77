import { success, type AnyTool } from '@haft/core';
import type { ProcessBoard } from '@haft/sandbox';
import { z } from 'zod';
import type { BuiltinDependencies } from '../builtin-dependencies.ts';
import { defineBuiltin } from '../define-builtin.ts';
import { count } from '../search/search-notes.ts';
import { describeProcess, listProcess } from './describe-process.ts';

const input = z.strictObject({
  output: z
    .enum(['labeled', 'json'])
    .optional()
    .describe('"labeled" (default) for lines of text, "json" for an array of { id, command, pid, running, … }.'),
});

/** Makes the `list_processes` tool: the background processes of the session. */
export function createListProcessesTool(board: ProcessBoard, dependencies: BuiltinDependencies = {}): AnyTool {
  return defineBuiltin('createProcessTools', dependencies, {
    name: 'list_processes',
    title: 'List background processes',
    description:
      'Lists the processes that bash started in the background in this session: those that run, and the latest that have ended, with how they did.',
    input,
    kind: 'read',
    traits: { readOnly: true, idempotent: true, openWorld: false, requires: ['process'] },
    footprint: () => ({ reads: ['process:'] }),
    initialTitle: () => 'List background processes',
    run: ({ output }, { context: { callId, sessionId } }) => {
      const listed = board.list(sessionId);
      const alive = listed.filter(({ isAlive }) => isAlive).length;
      const summary = `Listed: ${count(listed.length, 'process', 'processes')}, ${alive} running`;
      const structured = listed.map(listProcess);
      const text =
        listed.length === 0 ? 'Nothing was started in the background.' : listed.map(describeProcess).join('\n');
      return Promise.resolve(
        output === 'json'
          ? success(callId, [{ type: 'json', value: structured }], { summary, structured })
          : success(callId, text, { summary, structured }),
      );
    },
  });
}
