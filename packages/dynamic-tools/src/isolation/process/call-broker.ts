import { failure, isToolError, toolError, type Logger, type ProgressUpdate, type ToolContext } from '@haft/core';
import { describeCause } from '@haft/core/results';
import { copyData } from '../../copy-data.ts';
import type { HostMessage, WireContext } from '../channel/messages.ts';
import type { LooseMessage, MessageVerdict } from './process-handle.ts';
import { reviveValue } from '../channel/wire-value.ts';

/** A call that was sent to a plugin's process. */
interface OpenCall {
  readonly context: ToolContext | undefined;
  /** The result if the process ends without an answer. Without it, the call fails. */
  readonly isPart: boolean;
  /** Converts the answer to the body's return value. */
  resolve(value: unknown): void;
  reject(thrown: unknown): void;
  /** Number of open questions of the call. */
  questions: number;
  isGivenUp: boolean;
  /** Called once when the call is closed. */
  forget: (() => void) | undefined;
}

/** The open calls of one process. */
export interface CallBroker {
  readonly size: number;
  /** Opens a call of a tool or of another part of the plugin. Its answer arrives as a message. */
  open(context: ToolContext | undefined | 'part'): { readonly id: number; readonly answer: Promise<unknown> };
  /** Calls `forget` when a call is closed, or immediately if it already is. */
  whenClosed(id: number, forget: () => void): void;
  /** Marks a cancelled call as overdue. Returns true if all open calls are overdue. */
  giveUp(id: number): boolean;
  /** Removes a call that could not be sent. */
  drop(id: number): void;
  /** Handles a message about a call, or a log line. */
  take(message: LooseMessage): MessageVerdict;
  /** Answers all open calls because the process can't. Prompts and resources fail with the reason. */
  abandon(answer: (context: ToolContext | undefined) => unknown, reason: string): void;
}

const maxQuestions = 20;
const maxText = 2_000;
const maxStack = 4_000;
const maxOutput = 64 * 1024;
const levels = ['debug', 'info', 'warn', 'error'] as const;

/** @param send sends the answers to questions of bodies. */
export function createCallBroker(
  send: (message: HostMessage) => void,
  logger: Logger,
  onChange: (size: number) => void,
): CallBroker {
  const open = new Map<number, OpenCall>();
  let count = 0;

  const close = (id: unknown): OpenCall | undefined => {
    const call = open.get(id as number);
    if (!call) return undefined;
    open.delete(id as number);
    call.forget?.();
    onChange(open.size);
    return call;
  };

  const ask = (call: OpenCall, { ask: number, target }: LooseMessage): void => {
    if (!call.context || typeof number !== 'number') return;
    const answer = (decision: unknown): void => send({ t: 'decision', ask: number, decision });
    const refuse = (thrown: unknown): void => send({ t: 'decision', ask: number, error: describeCause(thrown) });
    if (call.questions >= maxQuestions) return refuse('too many questions at once');
    call.questions += 1;
    Promise.resolve(call.context.permission.ask(readTarget(target)))
      .then(answer)
      .catch(refuse)
      .finally(() => (call.questions -= 1));
  };

  return {
    get size() {
      return open.size;
    },
    open(given) {
      const isPart = given === 'part';
      const context = isPart ? undefined : given;
      count += 1;
      const id = count;
      const answer = new Promise<unknown>((resolve, reject) =>
        open.set(id, { context, isPart, resolve, reject, questions: 0, isGivenUp: false, forget: undefined }),
      );
      onChange(open.size);
      return { id, answer };
    },
    whenClosed(id, forget) {
      const call = open.get(id);
      if (call) call.forget = forget;
      else forget();
    },
    giveUp(id) {
      const call = open.get(id);
      if (call) call.isGivenUp = true;
      return [...open.values()].every(({ isGivenUp }) => isGivenUp);
    },
    drop: (id) => void close(id),
    take(message) {
      const { t, id } = message;
      if (t === 'log') {
        const level = levels.find((known) => known === message['level']) ?? 'info';
        logger[level](cut(message['message'], maxText), readData(message['data']));
        return 'news';
      }
      const call = open.get(id as number);
      // A body may continue after its call was answered.
      if (t === 'progress' || t === 'ask') {
        if (t === 'ask' && call) ask(call, message);
        else call?.context?.progress(readUpdate(message['update']));
        return 'news';
      }
      if (!call) return 'stray';
      if (t === 'result') settle(close(id)!, () => reviveValue(message['value']));
      else if (t === 'invalid' && !call.isPart) close(id)!.resolve(invalid(call.context, message['issues']));
      else if (t === 'threw') close(id)!.reject(readError(message));
      else return 'stray';
      return 'answer';
    },
    abandon(answer, reason) {
      const calls = [...open.values()];
      open.clear();
      onChange(0);
      for (const call of calls) {
        call.forget?.();
        if (call.isPart) call.reject(new Error(reason));
        else call.resolve(answer(call.context));
      }
    },
  };
}

/** Returns the parts of a context that can be sent. */
export function toWireContext(context: ToolContext): WireContext {
  const { cwd, writeRoots, deadline, callId, sessionId, runId, turn, messageId, inferenceId, modelName } = context;
  return { cwd, writeRoots, deadline, callId, sessionId, runId, turn, messageId, inferenceId, modelName };
}

function settle(call: OpenCall, read: () => unknown): void {
  try {
    call.resolve(read());
  } catch {
    call.reject(new Error('it returned a value that is nested too deeply'));
  }
}

function invalid(context: ToolContext | undefined, issues: unknown): unknown {
  const known = Array.isArray(issues) ? issues.slice(0, 100).filter(isIssue) : [];
  const error = toolError('INVALID_ARGS', `the arguments don't match the plugin's own schema`, { issues: known });
  return context ? failure(context.callId, error) : undefined;
}

function isIssue(given: unknown): given is never {
  if (typeof given !== 'object' || given === null) return false;
  const { path, code, expected, received, message } = given as Readonly<Record<string, unknown>>;
  return [path, code, expected, received, message].every((member) => typeof member === 'string');
}

/** Converts an error of the plugin's process to the value that the body would have thrown. */
function readError({ message, stack, error }: LooseMessage): unknown {
  const words = new Error(cut(message, maxText));
  // The stack in the plugin's process names its file and line. The stack here would name this file.
  if (typeof stack === 'string' && stack !== '') words.stack = cut(stack, maxStack);
  try {
    const copied = error === undefined ? undefined : copyData(error);
    return isToolError(copied) ? copied : words;
  } catch {
    return words;
  }
}

function readTarget(given: unknown): Parameters<ToolContext['permission']['ask']>[0] {
  const { title, footprint, arguments: args } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const { reads, writes } = (footprint ?? {}) as Readonly<Record<string, unknown>>;
  return {
    title: cut(title, 200),
    // An invalid list of resources counts as all resources.
    footprint: isTextList(reads) && isTextList(writes) ? { reads, writes } : { reads: [], writes: ['*'] },
    ...(args === undefined ? {} : { arguments: args }),
  };
}

function readUpdate(given: unknown): ProgressUpdate {
  const { message, done, total, output } = (given ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...(typeof message === 'string' && { message: cut(message, maxText) }),
    ...(typeof done === 'number' && { done }),
    ...(typeof total === 'number' && { total }),
    ...(typeof output === 'string' && { output: cut(output, maxOutput) }),
  };
}

function readData(given: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
    ? (given as Readonly<Record<string, unknown>>)
    : undefined;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= 1_000 && value.every((item) => typeof item === 'string');
}

function cut(value: unknown, limit: number): string {
  return typeof value === 'string' ? value.slice(0, limit) : '';
}
