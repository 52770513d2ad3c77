import { toolError, type ToolError } from '@haft/core';
import type { ManagedProcess, ProcessManager } from '@haft/sandbox';

/** Names of the process argument in other tool sets. */
export const processAliases: readonly string[] = [
  'process_id',
  'processId',
  'pid',
  'bash_id',
  'shell_id',
  'task_id',
  'session_id',
];

/** Finds a process of a session by its manager id or its system process id. */
export function findProcess(manager: ProcessManager, sessionId: string, id: string): ManagedProcess | ToolError {
  const known = manager.list(sessionId);
  const meant = known.find((status) => status.id === id) ?? known.find(({ pid }) => String(pid) === id);
  const process = meant && manager.find(meant.id, sessionId);
  if (process) return process;
  const ids = known.map((status) => status.id).join(', ');
  return toolError('NOT_FOUND', `there is no background process ${JSON.stringify(id.slice(0, 40))}`, {
    hint:
      ids === ''
        ? 'Nothing was started in the background. Start a command with bash and background: true.'
        : `There are ${ids}. Use one of these ids.`,
  });
}
