import { randomUUID } from 'node:crypto';
import { checkPermissionAnswer, parseShell } from '@haft/permission';
import type { AskUser, PermissionAnswer, PermissionQuestion } from '@haft/permission';
import { asJson } from '../contract/as-json.ts';
import { createChangeSignal, type ChangeSignal } from '../contract/change-signal.ts';
import type { ApprovalView } from '../contract/page-data.ts';

/** Questions about calls that wait for an answer of the user. */
export interface Approvals extends Pick<ChangeSignal, 'onChange'> {
  /** Pass this to `createToolkit` or `createPermissionEngine` as `ask`. It resolves when the page answers. */
  readonly ask: AskUser;
  /** Returns the waiting questions, oldest first. */
  waiting(): readonly ApprovalView[];
  /**
   * Answers a question. Returns false if it is not waiting: it was answered, or its call was cancelled.
   *
   * @throws PermissionError `INVALID_ANSWER` for an invalid answer. The question stays open.
   */
  answer(id: string, answer: PermissionAnswer): boolean;
  /** Denies all waiting questions. */
  denyAll(reason: string): void;
}

interface Waiting {
  readonly view: ApprovalView;
  readonly question: PermissionQuestion;
  readonly resolve: (answer: PermissionAnswer) => void;
}

/** Options of {@link createApprovals}. */
export interface ApprovalOptions {
  /** Maximum number of waiting questions. Further ones are denied at once. Default: 1,000. */
  readonly maxWaiting?: number;
}

/** Creates an empty queue of questions for the Approvals page. */
export function createApprovals({ maxWaiting = 1_000 }: ApprovalOptions = {}): Approvals {
  const waiting = new Map<string, Waiting>();
  const { notify, onChange } = createChangeSignal();

  return {
    onChange,
    ask(question, signal) {
      if (waiting.size >= maxWaiting) {
        return { action: 'deny', reason: `${maxWaiting} other questions are waiting for an answer` };
      }
      return new Promise((resolve) => {
        // A random ID, so that only pages that were shown the question can answer it.
        const id = randomUUID();
        const settle = (answer: PermissionAnswer): void => {
          signal.removeEventListener('abort', abort);
          waiting.delete(id);
          resolve(answer);
          notify();
        };
        const abort = (): void => settle({ action: 'deny', reason: 'the call was cancelled' });
        if (signal.aborted) return abort();
        signal.addEventListener('abort', abort, { once: true });
        waiting.set(id, { view: viewOf(id, question), question, resolve: settle });
        notify();
      });
    },
    waiting: () => Array.from(waiting.values(), ({ view }) => view),
    answer(id, answer) {
      const found = waiting.get(id);
      if (found === undefined) return false;
      found.resolve(checkPermissionAnswer(answer, found.question));
      return true;
    },
    denyAll(reason) {
      for (const { resolve } of waiting.values()) resolve({ action: 'deny', reason });
    },
  };
}

function viewOf(id: string, question: PermissionQuestion): ApprovalView {
  const { callId, tool, provider, title, command, reads, writes, cwd, sessionId, reason, ruleKey, uncertainties } =
    question;
  return {
    id,
    askedAt: Date.now(),
    callId,
    tool,
    provider,
    title,
    arguments: asJson(question.arguments),
    ...describeCommand(command),
    reads,
    writes,
    cwd,
    sessionId,
    reason,
    ...(ruleKey === undefined ? {} : { ruleKey }),
    uncertainties: uncertainties ?? [],
  };
}

function describeCommand(command: string | undefined): Pick<ApprovalView, 'command' | 'commands' | 'isSimpleCommand'> {
  if (command === undefined) return { commands: [], isSimpleCommand: false };
  const { commands, isSimple } = parseShell(command);
  const lines = commands.map(({ assignments, words, redirections }) =>
    [
      ...[...assignments, ...words].map(({ text }) => text),
      ...redirections.map(({ operator, target }) => `${operator} ${target.text}`),
    ].join(' '),
  );
  return { command, commands: lines, isSimpleCommand: isSimple };
}
