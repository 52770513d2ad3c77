import { placeIn } from '../../files/place-in-file.ts';
import type { TakenParts } from '../../plugin/parts/take-parts.ts';
import { readRefusal, readThrown } from '../../thrown-text.ts';
import { isTooComplex, maxJsonDepth, maxJsonValues } from '../channel/json-complexity.ts';
import { maxChildMessageBytes, type HostMessage } from '../channel/messages.ts';
import { prepareValue, reviveValue, writeForWire } from '../channel/wire-value.ts';
import { createChildContext, createQuestions, createRemoteLogger, type Send } from './child-context.ts';
import type { ChildTool } from './child-tools.ts';

type RunMessage = Extract<HostMessage, { readonly t: 'run' }>;
type CallMessage = Extract<HostMessage, { readonly t: 'call' }>;

/** Runs the calls that the host requests, any number at a time. */
export interface ChildCalls {
  run(message: CallMessage | RunMessage): Promise<void>;
  cancel(message: Extract<HostMessage, { readonly t: 'cancel' }>): void;
  answer(message: Extract<HostMessage, { readonly t: 'decision' }>): void;
}

/** Properties of the process that help to explain thrown errors. */
export interface Surroundings {
  /** The imported files of the plugin. */
  readonly files: ReadonlySet<string>;
  readonly hasNetwork: boolean;
}

/** @param sendText sends a message that is already serialized. */
export function createChildCalls(
  tools: () => readonly ChildTool[],
  parts: () => TakenParts,
  surroundings: () => Surroundings,
  send: Send,
  sendText: (text: string) => void,
): ChildCalls {
  const running = new Map<number, AbortController>();
  const questions = createQuestions(send);
  const logger = createRemoteLogger(send);

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
      ? await body(given, createChildContext(id, context, signal, send, questions, logger))
      : await body();
    // As in the host, an error that a body returns counts as thrown.
    if (returned instanceof Error) throw returned;
    answer(id, typeof returned === 'string' ? returned : await prepareValue(returned));
  };

  const answer = (id: number, value: unknown): void => {
    const result = { t: 'result', id, value };
    // Text has no bytes to convert.
    const text = typeof value === 'string' ? JSON.stringify(result) : writeForWire(result);
    if (text.length > maxChildMessageBytes / 3 && Buffer.byteLength(text) > maxChildMessageBytes)
      throw new Error(`it returned more than ${maxChildMessageBytes} bytes`);
    if (isTooComplex(text))
      throw new Error(`it returned more than ${maxJsonValues} values, or more than ${maxJsonDepth} levels of nesting`);
    sendText(text);
  };

  const runPart = async ({ id, target, given }: RunMessage, signal: AbortSignal): Promise<void> => {
    const { prompts, resources, hooks } = parts();
    const revived = given.map(reviveValue);
    if (target.part === 'hooks') {
      const hook = hooks?.methods[target.name];
      if (!hook) throw new Error('there is no such hook');
      return answer(id, await hook(...revived, signal));
    }
    const part = (target.part === 'prompts' ? prompts : resources)[target.index];
    if (!part) throw new Error('there is no such part');
    const returned = await part.method(...(target.part === 'prompts' ? revived : [signal]));
    // Messages of a prompt may contain the same parts as results.
    answer(id, Array.isArray(returned) ? await Promise.all(returned.map(prepareValue)) : await prepareValue(returned));
  };

  return {
    async run(message) {
      const { id } = message;
      const controller = new AbortController();
      running.set(id, controller);
      try {
        await (message.t === 'run' ? runPart(message, controller.signal) : execute(message, controller.signal));
      } catch (thrown) {
        const error = reportedError(thrown);
        const { files, hasNetwork } = surroundings();
        const { message: text, stack } = readThrown(thrown, hasNetwork);
        // The model sees an internal failure. The log shows the reason and the line to the plugin's author.
        if ((!error && !controller.signal.aborted) || readRefusal(thrown, hasNetwork) !== undefined) {
          const place = placeIn(stack, files);
          const where = place ? ` (${place.file}:${place.line})` : '';
          send({ t: 'log', level: 'warn', message: `a call threw: ${text}${where}` });
        }
        send({ t: 'threw', id, message: text, ...(stack !== '' && { stack }), ...(error && { error }) });
      } finally {
        running.delete(id);
      }
    },
    cancel: ({ id, name, message }) => running.get(id)?.abort(new DOMException(message, name)),
    answer: (message) => questions.answer(message),
  };
}

const errorMembers = ['code', 'message', 'fault', 'retryable', 'hint', 'details'];

/** Converts a tool error that a body threw to plain data. */
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
