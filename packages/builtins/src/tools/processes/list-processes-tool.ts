import { success, type AnyTool } from '@haft/core';
import type { ProcessManager } from '@haft/sandbox';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { defineBuiltin } from '../../definition/define-builtin.ts';
import { count } from '../../count.ts';
import { describeProcess, listProcess, type ListedProcess } from './describe-process.ts';

const input = z.strictObject({});

/** Creates the `list_processes` tool, which lists the background processes of the session. */
export function createListProcessesTool(manager: ProcessManager, dependencies: BuiltinDependencies = {}): AnyTool {
  return defineBuiltin('createProcessTools', dependencies, {
    name: 'list_processes',
    title: 'List background processes',
    description:
      'Lists the processes that bash started in the background in this session: the running ones, and the latest that ended, with their exit.',
    input,
    kind: 'read',
    traits: { readOnly: true, idempotent: true, openWorld: false, requires: ['process'] },
    outputModes: true,
    renderModel: (output) => render(output as readonly ListedProcess[]),
    footprint: () => ({ reads: ['process:'] }),
    initialTitle: () => 'List background processes',
    run: (_, { context: { callId, sessionId } }) => {
      const listed = manager.list(sessionId).map(listProcess);
      const alive = listed.filter(({ running }) => running).length;
      const summary = `Listed: ${count(listed.length, 'process', 'processes')}, ${alive} running`;
      return Promise.resolve(success(callId, [{ type: 'json', value: listed }], { summary, structured: listed }));
    },
  });
}

function render(listed: readonly ListedProcess[]): string {
  return listed.length === 0 ? 'Nothing was started in the background.' : listed.map(describeProcess).join('\n');
}
