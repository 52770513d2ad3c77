import {
  createCallQueue,
  failure,
  renderForModel,
  toolError,
  type CallContext,
  type ToolCall,
  type ToolContext,
  type ToolResult,
  type ToolSnapshot,
  type ToolSource,
} from '@haft/core';
import { isUnderProvider } from '@haft/core/registry';
import { describeCause } from '@haft/core/results';
import type { ToScript } from '../isolation/channel/script-messages.ts';

/** The outcome of a script's call. */
export interface ScriptCall {
  readonly callId: string;
  /** A safe name for messages: a tool's name, or text that could be one. */
  readonly name: string;
  readonly result: ToolResult;
  /** Whether the result may contain untrusted text, from a server or the open world. */
  readonly isOutside: boolean;
}

/** The calls of one script. */
export interface ScriptCalls {
  /** Number of started calls. */
  readonly count: number;
  /** The completed calls, in order of completion. */
  readonly ended: readonly ScriptCall[];
  readonly denied: number;
  /** Makes a call and resolves to the message for the script. Never rejects. */
  make(id: number, name: string, args: unknown): Promise<ToScript>;
  /** Returns the outcome of a call by its number in the script. */
  find(id: unknown): ScriptCall | undefined;
  /** Cancels the running calls and waits for their end. */
  end(reason: string): Promise<void>;
}

/** Dispatches a script's calls like any other call, as children of the script's call. */
export function createScriptCalls(
  source: ToolSource,
  snapshot: ToolSnapshot,
  context: ToolContext,
  parallel: number,
): ScriptCalls {
  const controller = new AbortController();
  const given: CallContext = {
    snapshot,
    parentCallId: context.callId,
    signal: controller.signal,
    queue: createCallQueue({ maxParallel: parallel }),
    sessionId: context.sessionId,
    runId: context.runId,
    turn: context.turn,
    messageId: context.messageId,
    inferenceId: context.inferenceId,
    modelName: context.modelName,
    session: context.session,
    resources: context.resources,
  };
  const ended: ScriptCall[] = [];
  const byId = new Map<unknown, ScriptCall>();
  const open = new Set<Promise<unknown>>();
  let count = 0;
  let denied = 0;

  /** A custom source may throw. */
  const dispatch = async (call: ToolCall): Promise<ToolResult> => {
    try {
      return await source.dispatch(call, given);
    } catch (cause) {
      return failure(call.id, toolError('EXECUTION_ERROR', `the tool source threw: ${describeCause(cause)}`), {
        name: call.name,
      });
    }
  };

  const run = async (id: number, callId: string, name: string, args: unknown): Promise<ToScript> => {
    const result = await dispatch({ id: callId, name, arguments: args ?? {} });
    const call = { callId, name: showName(snapshot, name), result, isOutside: isOutside(snapshot, name) };
    ended.push(call);
    byId.set(id, call);
    if (!result.ok && result.error.code === 'PERMISSION_DENIED') denied += 1;
    if (!result.ok) return { t: 'answer', id, ok: false, code: result.error.code, message: renderForModel(result) };
    const value = valueOf(result, snapshot.get(name)?.output !== undefined);
    return { t: 'answer', id, ok: true, ...(value !== undefined && { value }) };
  };

  return {
    get count() {
      return count;
    },
    ended,
    get denied() {
      return denied;
    },
    make(id, name, args) {
      count += 1;
      const work = run(id, `${context.callId}.${count}`, name, args).catch((cause: unknown): ToScript => {
        // A custom source may return an invalid result.
        const message = `the tool source returned no result: ${describeCause(cause)}`;
        return { t: 'answer', id, ok: false, code: 'EXECUTION_ERROR', message };
      });
      open.add(work);
      void work.finally(() => open.delete(work));
      return work;
    },
    find: (id) => byId.get(id),
    async end(reason) {
      controller.abort(new DOMException(reason, 'AbortError'));
      await Promise.allSettled(open);
    },
  };
}

/** Sanitizes a name that a script called, which may contain a server's text, or a million words. */
function showName(snapshot: ToolSnapshot, name: string): string {
  return snapshot.has(name) || /^[\w.-]{1,64}$/.test(name) ? name : 'an invalid name';
}

function isOutside(snapshot: ToolSnapshot, name: string): boolean {
  const provider = snapshot.providerFor(name) ?? '';
  return isUnderProvider(provider, 'dynamic/mcp') || snapshot.get(name)?.traits.openWorld === true;
}

/**
 * Returns the value of a result for the script: its data if the tool has an output schema or returned JSON, otherwise
 * the text for the model.
 */
function valueOf(result: ToolResult, isDeclared: boolean): unknown {
  if (isDeclared && result.structured !== undefined) return result.structured;
  const [part, ...more] = result.content;
  if (part?.type === 'json' && more.length === 0) return part.value;
  return part === undefined ? undefined : renderForModel({ ...result, advisories: [] });
}
