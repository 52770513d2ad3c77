import type { ToolContext, ToolResult } from '@haft/core';
import type { CompiledSchema } from '@haft/schema';
import { LOG_LEVEL_META_KEY, type Client } from '@modelcontextprotocol/client';
import { anyResult } from '../../any-result.ts';
import { cleanLine } from '../../untrusted/clean-text.ts';
import type { SecretRedactor } from '../../untrusted/redact-secrets.ts';
import type { ConnectionOptions } from '../contract/connection-options.ts';
import { mirrorArguments } from '../../mirrored-parameters.ts';
import { toFailure, toolChanged, type LostConnection } from './remote-failure.ts';
import { toToolResult } from './remote-result.ts';
import type { CalledTool } from './remote-tool.ts';
import type { AnswerServer } from '../contract/connection-host.ts';
import type { LogLevel } from '../contract/server-message.ts';
import { followLegacyTask, readLegacyTask } from '../../tasks/follow-legacy-task.ts';
import { claimTask, followTask, type TaskFollower } from '../../tasks/follow-task.ts';

/** One call with the parts of the connection that it needs. */
export interface RemoteCall {
  readonly client: Client;
  readonly connection: string;
  readonly tool: CalledTool;
  readonly args: unknown;
  readonly context: ToolContext;
  readonly invalidResults: 'note' | 'fail';
  /** Log level to send with the request in the modern era. */
  readonly logLevel: LogLevel | undefined;
  /** Returns metadata to send with the call. */
  readonly meta: ConnectionOptions['meta'];
  readonly redactor: SecretRedactor;
  /** Answers requests that a task makes to the host. */
  readonly answer: AnswerServer | undefined;
  /** Returns how the connection was lost, if it was. */
  readonly lost: () => LostConnection | undefined;
  /** Returns why the call must not be sent, if so: the definition of the tool changed in the meantime. */
  readonly whyBlocked: () => string | undefined;
  /** Opens a new session if the server has forgotten the old one. The refused request had no effect. */
  readonly renew: (error: unknown) => Promise<Client | undefined>;
}

/** Calls a tool of the server. Never rejects: failures are results. */
export async function callRemoteTool(call: RemoteCall): Promise<ToolResult> {
  const { client, context, renew } = call;
  const state: CallState = { isTask: false };
  try {
    return await answerOf(client, call, state);
  } catch (error) {
    // A task has already started, so calling again would run it twice.
    const next = context.signal.aborted || state.isTask ? undefined : await renew(error);
    return next === undefined
      ? failureOf(call, error)
      : answerOf(next, call, state).catch((again: unknown) => failureOf(call, again));
  }
}

interface CallState {
  isTask: boolean;
}

async function answerOf(client: Client, call: RemoteCall, state: CallState): Promise<ToolResult> {
  const { connection, tool, context } = call;
  const blocked = call.whyBlocked();
  if (blocked !== undefined) return toolChanged(context.callId, tool.name, blocked);
  let result = await ask(client, call);
  const task = claimTask(result);
  const legacyTask = tool.needsTask ? readLegacyTask(result) : undefined;
  if (task) {
    state.isTask = true;
    result = await followTask(client, task, followerOf(call));
  } else if (legacyTask) {
    state.isTask = true;
    result = await followLegacyTask(client, legacyTask, followerOf(call));
  }
  return toToolResult(result, {
    callId: context.callId,
    connection,
    tool: tool.name,
    remoteTool: tool.shownName,
    readResource: (uri, signal) =>
      readResource(client, connection, tool.idleTimeoutMs, uri, signal).catch((error: unknown) => {
        throw call.redactor.error(error);
      }),
    checkStructured: (value) => checkStructured(tool.output, value),
    redact: (text) => call.redactor.text(text),
    rejectsInvalid: call.invalidResults === 'fail',
  });
}

function failureOf(call: RemoteCall, error: unknown): ToolResult {
  const { connection, tool, context } = call;
  const lost = call.lost();
  return toFailure(error, {
    callId: context.callId,
    connection,
    tool: tool.name,
    remoteTool: tool.shownName,
    timeoutMs: tool.idleTimeoutMs,
    aborted: context.signal.aborted,
    isGone: lost !== undefined,
    lost,
    redactor: call.redactor,
  });
}

function ask(client: Client, call: RemoteCall): Promise<unknown> {
  const { tool, args, context, logLevel } = call;
  const callMeta = metadataOf(call.meta, context);
  const isModern = client.getProtocolEra() === 'modern';
  const logLevelMeta = logLevel !== undefined && isModern ? { [LOG_LEVEL_META_KEY]: logLevel } : undefined;
  const headers = isModern ? mirrorArguments(tool.mirrored, args) : undefined;
  const isLegacyTask = tool.needsTask && !isModern;
  const params = {
    name: tool.remoteName,
    arguments: args as Record<string, unknown>,
    ...(isLegacyTask ? { task: {} } : {}),
  };
  return client.request(
    {
      method: 'tools/call',
      params: callMeta || logLevelMeta ? { ...params, _meta: { ...callMeta, ...logLevelMeta } } : params,
    },
    anyResult,
    {
      // A task is announced at once, and cancelled by its id.
      ...(isLegacyTask ? {} : { signal: context.signal }),
      ...(headers ? { headers } : {}),
      timeout: tool.idleTimeoutMs,
      maxTotalTimeout: tool.requestTimeoutMs,
      resetTimeoutOnProgress: true,
      onprogress: ({ progress, total, message }) =>
        context.progress({
          done: progress,
          ...(total === undefined ? {} : { total }),
          ...(message === undefined ? {} : { message: cleanLine(call.redactor.text(message), 500) }),
        }),
    },
  );
}

function followerOf(call: RemoteCall): TaskFollower {
  const { context, tool, answer } = call;
  const { signal } = context;
  const { idleTimeoutMs, requestTimeoutMs } = tool;
  const onStatus = (message: string): void => context.progress({ message: call.redactor.text(message) });
  return { signal, idleTimeoutMs, requestTimeoutMs, onStatus, answer };
}

/** Returns the metadata of a call. Errors of the callback don't fail the call. */
function metadataOf(meta: RemoteCall['meta'], context: ToolContext): Record<string, unknown> | undefined {
  try {
    const metadata = meta?.(context);
    return metadata && { ...metadata };
  } catch {
    return undefined;
  }
}

async function readResource(
  client: Client,
  connection: string,
  timeout: number,
  uri: string,
  signal?: AbortSignal,
): Promise<Uint8Array | string> {
  const { contents } = await client.readResource({ uri }, { timeout, ...(signal ? { signal } : {}) });
  const [first] = contents;
  if (!first) throw new Error(`the MCP server ${connection} returned no content for this URI`);
  return 'text' in first ? first.text : new Uint8Array(Buffer.from(first.blob, 'base64'));
}

async function checkStructured(output: CompiledSchema | undefined, value: unknown): Promise<string | undefined> {
  if (!output) return undefined;
  await output.ready();
  const checked = await output.validate(value);
  return checked.ok ? undefined : "the structured content of this result does not match the tool's output schema";
}
