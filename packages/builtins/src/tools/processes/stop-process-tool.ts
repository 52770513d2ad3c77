import { failure, success, type AnyTool } from '@haft/core';
import type { ProcessManager } from '@haft/sandbox';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { defineBuiltin } from '../../definition/define-builtin.ts';
import { count } from '../../count.ts';
import { describeState, listProcess } from './describe-process.ts';
import { findProcess, processAliases } from './find-process.ts';

const input = z.strictObject({
  id: z.string().min(1).describe('The process, as bash named it when it was started, for example "p1".'),
  signal: z
    .enum(['TERM', 'INT', 'KILL'])
    .optional()
    .describe('The signal to send first: TERM (default), INT (Ctrl-C) or KILL. Processes alive after 5 s are killed.'),
});

/** Creates the `stop_process` tool, which ends a background process and all processes that it started. */
export function createStopProcessTool(manager: ProcessManager, dependencies: BuiltinDependencies = {}): AnyTool {
  return defineBuiltin('createProcessTools', dependencies, {
    name: 'stop_process',
    title: 'Stop a process',
    description:
      'Ends a background process of bash and its child processes, and reports how it ended. ' +
      'Its output can still be read with bash_output.',
    input,
    kind: 'other',
    traits: {
      readOnly: false,
      destructive: true,
      idempotent: true,
      openWorld: false,
      sideEffects: 'write',
      requires: ['process'],
    },
    aliases: { id: processAliases },
    footprint: ({ id }) => ({ writes: [`process:${id}`] }),
    initialTitle: ({ id, signal = 'TERM' }) => `Stop ${id} (${signal})`,
    run: async ({ id, signal = 'TERM' }, { context: { callId, sessionId } }) => {
      const process = findProcess(manager, sessionId, id);
      if (!('ok' in process)) return failure(callId, process);
      const wasAlive = process.status().isAlive;
      const status = wasAlive ? await process.stop({ signal: `SIG${signal}` }) : process.status();
      const listed = listProcess(status);
      const said = `${status.id} ${wasAlive ? '' : 'had already ended: it '}${describeState(listed)}.`;
      return success(callId, said, {
        summary: `Stopped: ${status.id}`,
        structured: listed,
        effects: wasAlive ? [{ kind: 'process', command: status.command, pid: status.pid, background: true }] : [],
        advisories:
          status.survivors.length === 0
            ? []
            : [`${count(status.survivors.length, 'process', 'processes')} that it started could not be ended.`],
      });
    },
  });
}
