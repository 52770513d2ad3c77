import type { SecretRedactor } from '../../untrusted/redact-secrets.ts';
import type { FilledConnectionOptions } from '../contract/connection-options.ts';
import { describeServer } from './explain-failure.ts';
import { packageRunnerOf } from './package-runner.ts';
import { McpError } from '../../mcp-error.ts';

/** Runs a task with the time limit and the signal for connecting. */
export async function connectInTime<T>(
  options: FilledConnectionOptions,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, startTimeoutMs, loginMs } = options;
  const starting = new AbortController();
  const runner = packageRunnerOf(options.command);
  const hint =
    runner === undefined
      ? ''
      : `; the first run of ${runner} may download the server: raise startTimeoutMs, or run it once before`;
  const late = `${describeServer(options)} was not ready within ${startTimeoutMs} ms${hint}`;
  const timeout = new McpError('CONNECT_TIMEOUT', late);
  const timer = setTimeout(() => starting.abort(timeout), startTimeoutMs + loginMs);
  const onAbort = (): void => starting.abort(new McpError('CONNECT_FAILED', 'connecting was cancelled'));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  try {
    return await task(starting.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Converts an error from connecting to an McpError without secrets. */
export function describeConnectFailure(error: unknown, redactor: SecretRedactor): McpError {
  const known =
    error instanceof McpError
      ? error
      : new McpError(
          'CONNECT_FAILED',
          `connecting to the server failed: ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        );
  return new McpError(known.code, redactor.text(known.message), {
    stderr: redactor.text(known.stderr),
    ...(known.cause === undefined ? {} : { cause: redactor.error(known.cause) }),
  });
}
