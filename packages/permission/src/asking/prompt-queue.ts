import { checkAnswer } from './check-answer.ts';
import type { AskUser, PermissionAnswer, PermissionQuestion } from './permission-question.ts';

/** Brings questions before a person, one after the other. */
export interface PromptQueue {
  /**
   * Asks, or waits for the answer to an equal question that is open. `undefined` when the asker's signal aborted first.
   */
  ask(
    key: string,
    question: PermissionQuestion,
    signal: AbortSignal,
    memory: QuestionMemory,
  ): Promise<PermissionAnswer | undefined>;
}

/** What is known of earlier answers. */
export interface QuestionMemory {
  /** Asked when the question's turn comes: an earlier answer may have settled it. */
  settled(): PermissionAnswer | undefined;
  /** Takes the answer before the next question is put. */
  take(answer: PermissionAnswer): Promise<void>;
}

interface OpenQuestion {
  readonly answer: Promise<PermissionAnswer>;
  readonly abandon: AbortController;
  waiting: number;
  isAnswered: boolean;
}

/** Makes a desk for one person: equal questions share an answer, different ones wait for each other. */
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
    // The next question waits for this one's end and its own predecessors', whatever that end is.
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
