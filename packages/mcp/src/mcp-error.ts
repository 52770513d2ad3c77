/** Codes of {@link McpError}. */
export const mcpErrorCodes: readonly [
  'INVALID_OPTION',
  'NAME_TAKEN',
  'CONNECT_FAILED',
  'CONNECT_TIMEOUT',
  'PEER_STALLED',
] = ['INVALID_OPTION', 'NAME_TAKEN', 'CONNECT_FAILED', 'CONNECT_TIMEOUT', 'PEER_STALLED'];

/** A literal code of {@link McpError}. */
export type McpErrorCode = (typeof mcpErrorCodes)[number];

/**
 * Reports why connecting failed. The code `PEER_STALLED` is only passed to `onWarning`, when a server ends a stalled
 * connection. A connection that is lost later throws nothing: its calls fail with `CONNECTION_LOST`.
 */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly code: McpErrorCode;
  /** The page that explains the code. */
  readonly url: string;
  /** The last text on the server's standard error, without secrets; empty if there was no output. */
  readonly stderr: string;

  constructor(
    code: McpErrorCode,
    message: string,
    options: { readonly stderr?: string; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.url = `https://docs.haft-project.example/errors/#mcp-${code}`;
    this.stderr = options.stderr ?? '';
  }
}

/** Makes the error of an option that can't be used. */
export function invalidOption(message: string): McpError {
  return new McpError('INVALID_OPTION', message);
}
