import { failure, toolError, type ToolResult } from '@haft/core';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { cutBytes } from '../../untrusted/clean-text.ts';
import type { SecretRedactor } from '../../untrusted/redact-secrets.ts';
import { createServerFence } from '../../untrusted/fence.ts';

/** The code with which servers refuse arguments. */
const invalidParams = -32_602;
/** What is cut anyway need not be looked through as a whole. */
const maxReadCharacters = 64_000;
const maxShownBytes = 4_000;

/** The call that failed. */
export interface FailedCall {
  readonly callId: string;
  readonly connection: string;
  /** The name that the model knows. */
  readonly tool: string;
  /** What the server calls it: for programs, never for the model. */
  readonly remoteTool: string;
  readonly timeoutMs: number;
  readonly aborted: boolean;
  /** Whether the connection is isGone. */
  readonly isGone: boolean;
  /** How it went, when nobody asked it to. */
  readonly lost: LostConnection | undefined;
  readonly redactor: SecretRedactor;
}

/** A connection that ended by itself. */
export interface LostConnection {
  readonly reason: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of what the server wrote to standard error, without secrets. */
  readonly stderr: string;
}

/** Makes a result of what was thrown while a server was asked. What the server wrote is fenced; nothing is retryable. */
export function toFailure(thrown: unknown, call: FailedCall): ToolResult {
  const { callId, connection, remoteTool, lost } = call;
  const where = `the tool ${call.tool} of the MCP server ${connection}`;
  if (call.aborted) return failure(callId, toolError('ABORTED', `${where} was cancelled`));
  if (call.isGone || isSdk(thrown, SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed)) {
    return connectionLost(callId, connection, lost);
  }
  if (isSdk(thrown, SdkErrorCode.RequestTimeout)) {
    const hint = 'It may have had its effect all the same: look before you try again.';
    return failure(
      callId,
      toolError('TIMEOUT', `${where} did not answer in ${call.timeoutMs} ms`, { retryable: false, hint }),
    );
  }
  if (isUnreachable(thrown)) return connectionLost(callId, connection, unreachable(thrown));
  const fence = createServerFence(connection);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const text = cutBytes(call.redactor.text(message.slice(0, maxReadCharacters)), maxShownBytes);
  const isArguments = ProtocolError.isInstance(thrown) && thrown.code === invalidParams;
  const code = ProtocolError.isInstance(thrown)
    ? { details: { code: thrown.code } }
    : SdkHttpError.isInstance(thrown)
      ? { details: { status: thrown.data.status } }
      : {};
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

/** The result of a call to a server that is isGone. */
export function connectionLost(callId: string, connection: string, lost: LostConnection | undefined): ToolResult {
  const reason = lost?.reason ?? 'the connection was closed';
  const error = toolError('CONNECTION_LOST', `the MCP server ${connection} is gone: ${reason}`, {
    // Nobody knows whether the call had its effect, and a remote tool is never taken to be repeatable.
    retryable: false,
    hint: 'Its tools can not be used now. Go on without them, or tell the person.',
    details: lost ? { exitCode: lost.exitCode, signal: lost.signal, stderr: lost.stderr } : {},
  });
  return failure(callId, error, { metadata: { connection, trusted: false } });
}

/** What `fetch` throws when nobody answers. */
function isUnreachable(thrown: unknown): thrown is Error {
  return thrown instanceof TypeError && thrown.message === 'fetch failed';
}

function unreachable({ cause }: Error): LostConnection {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  const more = typeof code === 'string' ? ` (${code})` : '';
  return { reason: `nobody answers at its address${more}`, exitCode: null, signal: null, stderr: '' };
}

function isSdk(thrown: unknown, ...codes: readonly SdkErrorCode[]): boolean {
  return SdkError.isInstance(thrown) && codes.includes(thrown.code);
}
