import type { SecretRedactor } from '../../untrusted/redact-secrets.ts';
import type { FilledConnectionOptions } from '../contract/connection-options.ts';
import { McpError } from '../../mcp-error.ts';

/** Gives a task the time and the signal that connecting has. */
export async function connectInTime<T>(
  options: FilledConnectionOptions,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, startTimeoutMs, loginMs } = options;
  const starting = new AbortController();
  const timeout = new McpError('CONNECT_TIMEOUT', `the server was not ready in ${startTimeoutMs} ms`);
  const timer = setTimeout(() => starting.abort(timeout), startTimeoutMs + loginMs);
  const onAbort = (): void => starting.abort(new McpError('CONNECT_FAILED', 'connecting was given up'));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  try {
    return await task(starting.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Says what was thrown while connecting, without secrets. */
export function describeConnectFailure(error: unknown, redactor: SecretRedactor): McpError {
  const known =
    error instanceof McpError
      ? error
      : new McpError(
          'CONNECT_FAILED',
          `the server could not be used: ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        );
  return new McpError(known.code, redactor.text(known.message), {
    stderr: redactor.text(known.stderr),
    ...(known.cause === undefined ? {} : { cause: redactor.error(known.cause) }),
  });
}
