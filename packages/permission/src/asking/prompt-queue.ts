import type { PermissionRequest } from '@haft/core';
import { checkPermissionAnswer } from './check-permission-answer.ts';
import type { AskUser, PermissionAnswer, PermissionQuestion } from './permission-question.ts';
import { createQuestionLine, type QuestionLine } from './question-line.ts';

/** Asks the user one question at a time in each session. Calls without a session wait for one another, too. */
export interface PromptQueue {
  /**
   * Asks the user about a call, or waits for the answer to an equal open question. Resolves to `undefined` if the
   * call's signal aborts first.
   */
  ask(call: WaitingCall): Promise<PermissionAnswer | undefined>;
}

/** A call that needs an answer. */
export interface WaitingCall {
  /** Equal for calls that do the same in the same session. */
  readonly key: string;
  readonly question: PermissionQuestion;
  readonly request: Pick<PermissionRequest, 'signal' | 'setQuestionsAhead'>;
  /** True if the call only reads. Equal calls of this kind share one permission; another call needs its own. */
  readonly isReading: boolean;
  /** Returns an answer if an earlier one covers the call. Called when the question's turn comes. */
  settled(): PermissionAnswer | undefined;
  /** Receives the answer before the next question is asked. */
  take(answer: PermissionAnswer): Promise<void>;
}

interface OpenQuestion {
  readonly answer: Promise<PermissionAnswer>;
  readonly abandon: AbortController;
  readonly waiting: Set<WaitingCall>;
  questionsAhead: number;
  isAnswered: boolean;
  /** True once a call has used the user's permission. */
  isUsed: boolean;
}

/** Creates a queue. Equal questions share an answer if this runs no change twice. */
export function createPromptQueue(askUser: AskUser): PromptQueue {
  const open = new Map<string, OpenQuestion>();
  const lines = new Map<string, QuestionLine>();

  const put = (call: WaitingCall): OpenQuestion => {
    const { key, question } = call;
    const { sessionId } = question;
    const line = lines.get(sessionId) ?? createQuestionLine(() => lines.delete(sessionId));
    lines.set(sessionId, line);
    const abandon = new AbortController();
    const waiting = new Set<WaitingCall>();
    const setQuestionsAhead = (count: number): void => {
      entry.questionsAhead = count;
      for (const one of waiting) one.request.setQuestionsAhead?.(count);
    };
    const questionsAhead = line.length;
    const answer = line.run(abandon.signal, async () => {
      const before = call.settled();
      if (before) return before;
      setQuestionsAhead(0);
      const given = checkPermissionAnswer(await askUser(question, abandon.signal, setQuestionsAhead), question);
      await call.take(given);
      return given;
    });
    const entry: OpenQuestion = { answer, abandon, waiting, questionsAhead, isAnswered: false, isUsed: false };
    open.set(key, entry);
    const forget = (): void => {
      entry.isAnswered = true;
      if (open.get(key) === entry) open.delete(key);
    };
    answer.then(forget, forget);
    return entry;
  };

  const waitFor = async (entry: OpenQuestion, call: WaitingCall): Promise<PermissionAnswer | undefined> => {
    entry.waiting.add(call);
    call.request.setQuestionsAhead?.(entry.questionsAhead);
    const stop = createStop(call.request.signal);
    try {
      return await Promise.race([entry.answer, stop.stopped]);
    } finally {
      stop.dispose();
      entry.waiting.delete(call);
      if (entry.waiting.size === 0 && !entry.isAnswered) {
        if (open.get(call.key) === entry) open.delete(call.key);
        entry.abandon.abort();
      }
    }
  };

  return {
    async ask(call) {
      while (!call.request.signal.aborted) {
        const entry = open.get(call.key) ?? put(call);
        const answer = await waitFor(entry, call);
        if (answer?.action !== 'allow' || call.isReading) return answer;
        if (!entry.isUsed) {
          entry.isUsed = true;
          return answer;
        }
        // An equal call has used the permission. This call needs an answer for more than one call, or its own.
        const covered = call.settled();
        if (covered) return covered;
      }
      return undefined;
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
