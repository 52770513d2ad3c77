import type { ProcessOutcome, ProcessRequest } from '../contracts/workspace/process-runner.ts';
import type { ProcessEffect } from '../contracts/results/effect.ts';
import type { ToolResult } from '../contracts/results/result.ts';
import { toolError } from '../results/tool-error.ts';
import { failure, success, type ResultExtras } from '../results/tool-result.ts';

/** Returns the reason why a tool is unavailable when its program is not installed. */
export function notFound(command: string): string {
  return `${command} not found in PATH`;
}

/** Converts the outcome of a command into a tool result that includes all of its output. */
export function concludeCommand(
  callId: string,
  request: Pick<ProcessRequest, 'command' | 'args' | 'timeoutMs'>,
  outcome: ProcessOutcome,
  successCodes: readonly number[],
): ToolResult {
  const { command, timeoutMs } = request;
  const { exitCode, signal, failure: notStarted } = outcome;
  const content = outcome.output.text.trimEnd();
  const extras: ResultExtras = outcome.pid === null ? {} : { effects: [effectOf(request, outcome)] };
  if (notStarted) {
    return notStarted.code === 'COMMAND_NOT_FOUND'
      ? failure(
          callId,
          toolError('TOOL_UNAVAILABLE', notFound(command), { retryable: false, hint: 'Continue without this tool.' }),
        )
      : failure(
          callId,
          toolError('SPAWN_FAILED', `${command} could not be started: ${notStarted.message}`, {
            details: { sandboxCode: notStarted.code },
          }),
        );
  }
  if (outcome.aborted) return failure(callId, toolError('ABORTED', `${command} was cancelled`), { ...extras, content });
  if (outcome.timedOut) {
    const error = toolError('TIMEOUT', `${command} exceeded ${Math.round(timeoutMs)} ms and was stopped`, {
      retryable: false,
      hint: 'Do less per call.',
    });
    return failure(callId, error, { ...extras, content });
  }
  if (exitCode !== null && successCodes.includes(exitCode)) return success(callId, content, extras);
  const ending = exitCode === null ? `was killed by ${signal ?? 'a signal'}` : `exited with code ${exitCode}`;
  const error = toolError('EXIT_CODE', `${command} ${ending}`, {
    details: { ...(exitCode === null ? {} : { exitCode }), ...(signal === null ? {} : { signal }) },
  });
  return failure(callId, error, { ...extras, content });
}

function effectOf({ command, args }: Pick<ProcessRequest, 'command' | 'args'>, outcome: ProcessOutcome): ProcessEffect {
  return {
    kind: 'process',
    command: [command, ...args].join(' '),
    background: false,
    ...(outcome.pid === null ? {} : { pid: outcome.pid }),
    ...(outcome.exitCode === null ? {} : { exitCode: outcome.exitCode }),
    ...(outcome.timedOut ? { timedOut: true } : {}),
  };
}
