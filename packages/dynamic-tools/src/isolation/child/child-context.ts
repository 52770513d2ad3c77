import type { Logger, ToolContext } from '@haft/core';
import type { HostMessage, PluginMessage, WireContext } from '../channel/messages.ts';

/** Sends a message to the host. */
export type Send = (message: PluginMessage) => void;

/** Matches the host's answers with the questions that bodies ask during a call. */
export interface Questions {
  ask(id: number, target: unknown): Promise<unknown>;
  answer(message: Extract<HostMessage, { readonly t: 'decision' }>): void;
}

export function createQuestions(send: Send): Questions {
  const waiting = new Map<number, { resolve(decision: unknown): void; reject(error: Error): void }>();
  let count = 0;
  return {
    ask: (id, target) =>
      new Promise((resolve, reject) => {
        count += 1;
        waiting.set(count, { resolve, reject });
        send({ t: 'ask', id, ask: count, target });
      }),
    answer({ ask, decision, error }) {
      const open = waiting.get(ask);
      waiting.delete(ask);
      if (error === undefined) open?.resolve(decision);
      else open?.reject(new Error(error));
    },
  };
}

/** Sends the log lines of a plugin to the host's logger. */
export function createRemoteLogger(send: Send): Logger {
  const write =
    (level: string) =>
    (message: string, data?: Readonly<Record<string, unknown>>): void =>
      send({ t: 'log', level, message: message, ...(data !== undefined && { data }) });
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** Creates the context of a call in this process: the parts of the host's context that can be sent. */
export function createChildContext(
  id: number,
  wire: WireContext,
  signal: AbortSignal,
  send: Send,
  questions: Questions,
  logger: Logger,
): ToolContext {
  const { cwd, writeRoots, deadline, sessionId, ...ids } = wire;
  const now = (): number => Date.now();
  const permission = { ask: (target: unknown) => questions.ask(id, target) } as ToolContext['permission'];
  const workspace = Object.freeze({ cwd, readRoots: [], writeRoots, logger, now, permission });
  return {
    ...ids,
    cwd,
    writeRoots,
    deadline,
    sessionId,
    signal,
    logger,
    now,
    permission,
    workspace,
    session: { id: sessionId, metadata: {} },
    resources: [],
    progress: (update) =>
      send({ t: 'progress', id, update: typeof update === 'string' ? { message: update } : update }),
  };
}
