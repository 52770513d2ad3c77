import { PermissionError } from '../permission-error.ts';
import type { AskPerson, PermissionAnswer, PermissionQuestion } from './permission-question.ts';

/** Brings questions before a person, one after the other. */
export interface QuestionDesk {
  /**
   * Asks, or waits for the answer to an equal question that is open. `undefined` when the asker's signal aborted first.
   * `stillNeeded` is asked again when the question's turn comes: an earlier answer may have settled it.
   */
  ask(
    key: string,
    question: PermissionQuestion,
    signal: AbortSignal,
    settled: () => PermissionAnswer | undefined,
  ): Promise<PermissionAnswer | undefined>;
}

interface OpenQuestion {
  readonly answer: Promise<PermissionAnswer>;
  readonly abandon: AbortController;
  waiting: number;
}

/** Makes a desk for one person: equal questions share an answer, different ones wait for each other. */
export function createQuestionDesk(askPerson: AskPerson): QuestionDesk {
  const open = new Map<string, OpenQuestion>();
  let line: Promise<unknown> = Promise.resolve();

  const put = (
    key: string,
    question: PermissionQuestion,
    settled: () => PermissionAnswer | undefined,
  ): OpenQuestion => {
    const abandon = new AbortController();
    const turn = line;
    const answered = (async (): Promise<PermissionAnswer> => {
      await Promise.race([turn, aborted(abandon.signal)]);
      abandon.signal.throwIfAborted();
      return (
        settled() ?? checkAnswer(await Promise.race([askPerson(question, abandon.signal), aborted(abandon.signal)]))
      );
    })();
    const entry: OpenQuestion = { answer: answered, abandon, waiting: 0 };
    open.set(key, entry);
    // The next question waits for this one's end and its own predecessors', whatever that end is.
    line = Promise.allSettled([turn, answered]);
    const forget = (): void => {
      if (open.get(key) === entry) open.delete(key);
    };
    answered.then(forget, forget);
    return entry;
  };

  return {
    async ask(key, question, signal, settled) {
      if (signal.aborted) return undefined;
      const entry = open.get(key) ?? put(key, question, settled);
      entry.waiting += 1;
      const stop = createStop(signal);
      try {
        return await Promise.race([entry.answer, stop.stopped]);
      } finally {
        stop.dispose();
        entry.waiting -= 1;
        if (entry.waiting === 0) {
          if (open.get(key) === entry) open.delete(key);
          entry.abandon.abort();
        }
      }
    },
  };
}

function checkAnswer(answer: unknown): PermissionAnswer {
  if (
    typeof answer === 'object' &&
    answer !== null &&
    'action' in answer &&
    (answer.action === 'deny' || (answer.action === 'allow' && hasKnownScope(answer)))
  ) {
    return answer as PermissionAnswer;
  }
  throw new PermissionError(
    'INVALID_ANSWER',
    'the ask callback answered neither allow nor deny: it must give { action: "allow", scope?: "once" | "session" } or { action: "deny", reason? }',
  );
}

/** A scope that is none might have been meant to be a narrower one. */
function hasKnownScope(answer: object): boolean {
  const scope = 'scope' in answer ? answer.scope : undefined;
  return scope === undefined || scope === 'once' || scope === 'session';
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
      reject(signal.reason instanceof Error ? signal.reason : new Error('nobody waits for the answer'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
