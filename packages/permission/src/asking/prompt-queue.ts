import { checkAnswer } from './check-permission-answer.ts';
import type { AskUser, PermissionAnswer, PermissionQuestion } from './permission-question.ts';

/** Asks the user one question at a time. */
export interface PromptQueue {
  /**
   * Asks the user, or waits for the answer to an equal open question. Resolves to `undefined` if the caller's signal
   * aborts first.
   */
  ask(
    key: string,
    question: PermissionQuestion,
    signal: AbortSignal,
    memory: QuestionMemory,
  ): Promise<PermissionAnswer | undefined>;
}

/** Access to earlier answers. */
export interface QuestionMemory {
  /** Called when the question's turn comes. An earlier answer may have settled it. */
  settled(): PermissionAnswer | undefined;
  /** Receives the answer before the next question is asked. */
  take(answer: PermissionAnswer): Promise<void>;
}

interface OpenQuestion {
  readonly answer: Promise<PermissionAnswer>;
  readonly abandon: AbortController;
  waiting: number;
  isAnswered: boolean;
}

/** Creates a queue for one user. Equal questions share an answer; different questions are asked one after the other. */
export function createPromptQueue(askUser: AskUser): PromptQueue {
  const open = new Map<string, OpenQuestion>();
  let line: Promise<unknown> = Promise.resolve();

  const put = (key: string, question: PermissionQuestion, memory: QuestionMemory): OpenQuestion => {
    const abandon = new AbortController();
    const turn = line;
    const answered = (async (): Promise<PermissionAnswer> => {
      await Promise.race([turn, aborted(abandon.signal)]);
      abandon.signal.throwIfAborted();
      const before = memory.settled();
      if (before) return before;
      const given: unknown = await Promise.race([askUser(question, abandon.signal), aborted(abandon.signal)]);
      const answer = checkAnswer(given, question);
      await memory.take(answer);
      return answer;
    })();
    const entry: OpenQuestion = { answer: answered, abandon, waiting: 0, isAnswered: false };
    open.set(key, entry);
    // The next question waits for this one and all its predecessors to settle.
    line = Promise.allSettled([turn, answered]);
    const forget = (): void => {
      entry.isAnswered = true;
      if (open.get(key) === entry) open.delete(key);
    };
    answered.then(forget, forget);
    return entry;
  };

  return {
    async ask(key, question, signal, memory) {
      if (signal.aborted) return undefined;
      const entry = open.get(key) ?? put(key, question, memory);
      entry.waiting += 1;
      const stop = createStop(signal);
      try {
        return await Promise.race([entry.answer, stop.stopped]);
      } finally {
        stop.dispose();
        entry.waiting -= 1;
        if (entry.waiting === 0) {
          if (open.get(key) === entry) open.delete(key);
          if (!entry.isAnswered) entry.abandon.abort();
        }
      }
    },
  };
}

function createStop(signal: AbortSignal): { readonly stopped: Promise<undefined>; dispose(): void } {
  let onAbort = (): void => {};
  const stopped = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  return { stopped, dispose: () => signal.removeEventListener('abort', onAbort) };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void =>
      reject(signal.reason instanceof Error ? signal.reason : new Error('no caller waits for the answer'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
