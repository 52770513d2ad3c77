import type { ToolContext, ToolResult } from '@haft/core';
import type { CompiledSchema } from '@haft/schema';
import { LOG_LEVEL_META_KEY, type Client } from '@modelcontextprotocol/client';
import { anyResult } from './any-result.ts';
import { cleanLine } from './clean-text.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { mirrorArguments } from './mirrored-parameters.ts';
import { toFailure, type LostConnection } from './remote-failure.ts';
import { toToolResult } from './remote-result.ts';
import type { CalledTool } from './remote-tool.ts';
import type { AnswerServer } from './connection-host.ts';
import type { LogLevel } from './server-message.ts';
import { followTask, taskOf } from './tasks/follow-task.ts';

/** What one call needs to know of its connection. */
export interface RemoteCall {
  readonly client: Client;
  readonly connection: string;
  readonly tool: CalledTool;
  readonly args: unknown;
  readonly context: ToolContext;
  readonly requestTimeoutMs: number;
  readonly maxTotalMs: number;
  /** From which level on the server is to tell its log; the newer generation wants to be told with each request. */
  readonly logLevel: LogLevel | undefined;
  /** What is sent along with the call. */
  readonly meta: ConnectionOptions['meta'];
  /** Answers what a task asks the host. */
  readonly answer: AnswerServer | undefined;
  /** How the connection ended, once it has. */
  readonly lost: () => LostConnection | undefined;
  /** Brings back a session that the server has forgotten; a request of such a session has had no effect. */
  readonly renew: (error: unknown) => Promise<Client | undefined>;
}

/** Asks the server to run a tool. Never throws: what goes wrong is in the result. */
export async function callRemoteTool(call: RemoteCall): Promise<ToolResult> {
  const { connection, tool, context, requestTimeoutMs } = call;
  const { callId, signal } = context;
  const remoteTool = cleanLine(tool.remoteName, 80);
  const read = { callId, connection, tool: tool.name, remoteTool };
  let isTask = false;
  const askWith = async (client: Client): Promise<ToolResult> =>
    toToolResult(await ask(client, call, () => (isTask = true)), {
      ...read,
      readResource: (uri, readSignal) => readResource(client, connection, requestTimeoutMs, uri, readSignal),
      checkStructured: (value) => checkStructured(tool.output, value),
    });
  const fail = (error: unknown): ToolResult => {
    const lost = call.lost();
    const gone = lost !== undefined;
    return toFailure(error, { ...read, timeoutMs: requestTimeoutMs, aborted: signal.aborted, gone, lost });
  };
  try {
    return await askWith(call.client);
  } catch (error) {
    // What has become a task has begun: to call again would be to do it twice.
    const client = signal.aborted || isTask ? undefined : await call.renew(error);
    return client === undefined ? fail(error) : askWith(client).catch(fail);
  }
}

async function ask(client: Client, call: RemoteCall, onTask: () => void): Promise<unknown> {
  const { tool, args, context, requestTimeoutMs, maxTotalMs, logLevel } = call;
  const sent = metadataOf(call.meta, context);
  const isModern = client.getProtocolEra() === 'modern';
  const isTold = logLevel !== undefined && isModern;
  const told = isTold ? { [LOG_LEVEL_META_KEY]: logLevel } : undefined;
  const headers = isModern ? mirrorArguments(tool.mirrored, args) : {};
  const meta = sent || told ? { _meta: { ...sent, ...told } } : {};
  const result = await client.request(
    { method: 'tools/call', params: { name: tool.remoteName, arguments: args as Record<string, unknown>, ...meta } },
    anyResult,
    {
      signal: context.signal,
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      timeout: requestTimeoutMs,
      maxTotalTimeout: maxTotalMs,
      resetTimeoutOnProgress: true,
      onprogress: ({ progress, total, message }) =>
        context.progress({
          done: progress,
          ...(total === undefined ? {} : { total }),
          ...(message === undefined ? {} : { message: cleanLine(message, 500) }),
        }),
    },
  );
  const task = taskOf(result);
  if (!task) return result;
  onTask();
  const { answer } = call;
  const { signal } = context;
  const onStatus = (message: string): void => context.progress({ message });
  return followTask(client, task, { signal, requestTimeoutMs, maxTotalMs, onStatus, answer });
}

/** What goes along with a call; what can't be made is not worth the call. */
function metadataOf(meta: RemoteCall['meta'], context: ToolContext): Record<string, unknown> | undefined {
  try {
    const made = meta?.(context);
    return made && { ...made };
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
  if (!first) throw new Error(`the MCP server ${connection} has nothing at this address`);
  return 'text' in first ? first.text : new Uint8Array(Buffer.from(first.blob, 'base64'));
}

async function checkStructured(output: CompiledSchema | undefined, value: unknown): Promise<string | undefined> {
  if (!output) return undefined;
  await output.ready();
  const checked = await output.validate(value);
  return checked.ok ? undefined : "the structured part of this answer does not fit the tool's own output schema";
}
