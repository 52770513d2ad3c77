import { readThrown } from '../../thrown-text.ts';
import { maxMessageBytes, type HostMessage } from '../messages.ts';
import { prepareValue, writeForWire } from '../wire-value.ts';
import { createChildContext, createQuestions, type Send } from './child-context.ts';
import type { ChildTool } from './child-tools.ts';

type CallMessage = Extract<HostMessage, { readonly t: 'call' }>;

/** Runs what the host asks for; any number of calls at a time. */
export interface ChildCalls {
  run(message: CallMessage): Promise<void>;
  cancel(message: Extract<HostMessage, { readonly t: 'cancel' }>): void;
  answer(message: Extract<HostMessage, { readonly t: 'decision' }>): void;
}

/** @param sendText sends a message that is written already. */
export function createChildCalls(
  tools: () => readonly ChildTool[],
  send: Send,
  sendText: (text: string) => void,
): ChildCalls {
  const running = new Map<number, AbortController>();
  const questions = createQuestions(send);

  const execute = async (
    { id, tool: index, method, args, context }: CallMessage,
    signal: AbortSignal,
  ): Promise<void> => {
    const tool = tools()[index];
    const body = tool?.methods[method];
    if (!tool || !body) throw new Error('there is no such tool');
    let given = args;
    if (tool.checks && method === 'execute') {
      await tool.checks.ready();
      const checked = (await tool.checks.validate(args)) as { ok: boolean; value: unknown; issues: unknown };
      if (!checked.ok) return send({ t: 'invalid', id, issues: checked.issues });
      given = checked.value;
    }
    const returned = context
      ? await body(given, createChildContext(id, context, signal, send, questions))
      : await body();
    const text = writeForWire({ t: 'result', id, value: await prepareValue(returned) });
    if (Buffer.byteLength(text) > maxMessageBytes) throw new Error(`it returned more than ${maxMessageBytes} bytes`);
    sendText(text);
  };

  return {
    async run(message) {
      const { id } = message;
      const controller = new AbortController();
      running.set(id, controller);
      try {
        await execute(message, controller.signal);
      } catch (thrown) {
        const error = reportedError(thrown);
        send({ t: 'threw', id, message: readThrown(thrown).message, ...(error && { error }) });
      } finally {
        running.delete(id);
      }
    },
    cancel: ({ id, name, message }) => running.get(id)?.abort(new DOMException(message, name)),
    answer: (message) => questions.answer(message),
  };
}

const errorMembers = ['code', 'message', 'fault', 'retryable', 'hint', 'details'];

/** A tool error that a body threw, as data. */
function reportedError(thrown: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    if (typeof thrown !== 'object' || thrown === null || !('fault' in thrown && 'code' in thrown)) return undefined;
    const given = thrown as Readonly<Record<string, unknown>>;
    return JSON.parse(JSON.stringify(Object.fromEntries(errorMembers.map((key) => [key, given[key]])))) as Record<
      string,
      unknown
    >;
  } catch {
    return undefined;
  }
}
