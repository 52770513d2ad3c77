import { failure, toolError, type ToolResult } from '@haft/core';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { cutBytes } from '../../untrusted/clean-text.ts';
import type { SecretRedactor } from '../../untrusted/redact-secrets.ts';
import { createServerFence } from '../../untrusted/fence.ts';

/** The JSON-RPC code for invalid arguments. */
const invalidParams = -32_602;
/** Characters to read. The text is cut later. */
const maxReadCharacters = 64_000;
const maxShownBytes = 4_000;

/** A failed call. */
export interface FailedCall {
  readonly callId: string;
  readonly connection: string;
  /** Registered name of the tool. */
  readonly tool: string;
  /** Name of the tool on the server. For programs, never for the model. */
  readonly remoteTool: string;
  readonly timeoutMs: number;
  readonly aborted: boolean;
  /** Whether the connection is lost. */
  readonly isGone: boolean;
  /** How the connection was lost, unless it was closed. */
  readonly lost: LostConnection | undefined;
  readonly redactor: SecretRedactor;
}

/** How a connection was lost. */
export interface LostConnection {
  readonly reason: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The last text on the server's standard error, without secrets. */
  readonly stderr: string;
}

/** Creates the result of a call that is not sent, because the definition of its tool changed while it waited. */
export function toolChanged(callId: string, tool: string, reason: string): ToolResult {
  const hint = 'The call was not sent. Continue without this tool, or look at its definition again before you call it.';
  return failure(
    callId,
    toolError('TOOL_UNAVAILABLE', `${tool} is not available now: ${reason}`, { retryable: false, hint }),
  );
}

/** Converts an error from a server into a failed result. Text from the server is fenced. No failure is retryable. */
export function toFailure(thrown: unknown, call: FailedCall): ToolResult {
  const { callId, connection, remoteTool, lost } = call;
  const where = `the tool ${call.tool} of the MCP server ${connection}`;
  if (call.aborted) return failure(callId, toolError('ABORTED', `${where} was cancelled`));
  if (call.isGone || isSdk(thrown, SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed)) {
    return connectionLost(callId, connection, lost);
  }
  if (isSdk(thrown, SdkErrorCode.RequestTimeout)) {
    const hint = 'The call may still have had an effect: check before you try again.';
    return failure(
      callId,
      toolError('TIMEOUT', `${where} ${describeLimit(thrown, call.timeoutMs)}`, { retryable: false, hint }),
    );
  }
  if (isUnreachable(thrown)) return connectionLost(callId, connection, unreachable(thrown));
  const fence = createServerFence(connection);
  const status = SdkHttpError.isInstance(thrown) ? thrown.data.status : undefined;
  const message = status === undefined ? messageOf(thrown) : `HTTP status ${status}: ${messageOf(thrown)}`;
  const text = cutBytes(call.redactor.text(message.slice(0, maxReadCharacters)), maxShownBytes);
  const isArguments = ProtocolError.isInstance(thrown) && thrown.code === invalidParams;
  const code = ProtocolError.isInstance(thrown)
    ? { details: { code: thrown.code } }
    : status === undefined
      ? {}
      : { details: { status } };
  const hint = isArguments ? { hint: 'Compare the arguments with the schema of the tool.' } : {};
  const error = toolError('REMOTE_ERROR', `${where} refused the call`, {
    ...code,
    ...hint,
    cause: call.redactor.error(thrown),
  });
  return failure(callId, error, {
    content: fence.wrap(text),
    advisories: [fence.remark],
    metadata: { connection, remoteTool, trusted: false },
  });
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns the result of a call to a lost server. */
export function connectionLost(callId: string, connection: string, lost: LostConnection | undefined): ToolResult {
  const reason = lost?.reason ?? 'the connection was closed';
  const error = toolError('CONNECTION_LOST', `the MCP server ${connection} is not connected: ${reason}`, {
    // The call may have had an effect, and remote tools never count as idempotent.
    retryable: false,
    hint: 'The call may have had an effect: check before you call again. If further calls fail, continue without this server, or inform the user.',
    details: lost ? { exitCode: lost.exitCode, signal: lost.signal, stderr: lost.stderr } : {},
  });
  return failure(callId, error, { metadata: { connection, trusted: false } });
}

/** Whether `fetch` failed to reach the server. */
function isUnreachable(thrown: unknown): thrown is Error {
  return thrown instanceof TypeError && thrown.message === 'fetch failed';
}

function unreachable({ cause }: Error): LostConnection {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  const more = typeof code === 'string' ? ` (${code})` : '';
  return { reason: `the server is unreachable${more}`, exitCode: null, signal: null, stderr: '' };
}

/** Names the time limit that a request reached. */
function describeLimit(thrown: unknown, idleMs: number): string {
  const { data } = thrown as { readonly data?: { readonly maxTotalTimeout?: unknown; readonly timeout?: unknown } };
  if (typeof data?.maxTotalTimeout === 'number')
    return `did not finish in ${data.maxTotalTimeout} ms (requestTimeoutMs)`;
  return `did not answer in ${typeof data?.timeout === 'number' ? data.timeout : idleMs} ms`;
}

function isSdk(thrown: unknown, ...codes: readonly SdkErrorCode[]): boolean {
  return SdkError.isInstance(thrown) && codes.includes(thrown.code);
}
