import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Question } from './serve-questions.ts';

/** The process, and the time limit of one answer. */
export interface GuardOptions {
  /** The file that calls `serveQuestions`. */
  readonly module: URL;
  /** Arguments of its command line. */
  readonly args: readonly string[];
  readonly questionMs: number;
}

/** A process that answers one question at a time. */
export interface Guarded {
  /**
   * The answer. Undefined if the time limit passed or the process died; the process then answers no further question.
   */
  ask<Answer extends object>(question: Question): Promise<Answer | undefined>;
  close(): void;
}

/**
 * Asks a process every question, in order. A process that exceeds the time limit or dies is restarted for the next
 * question, and the missing answer is `undefined`. Rejects if the process can't start at all.
 */
export async function askGuarded<Answer extends object>(
  questions: readonly Question[],
  options: GuardOptions,
): Promise<readonly (Answer | undefined)[]> {
  const answers: (object | undefined)[] = [];
  while (answers.length < questions.length) {
    const child = start(options);
    try {
      await feed(child, questions, answers, options);
    } finally {
      child.kill('SIGKILL');
    }
  }
  return answers as readonly (Answer | undefined)[];
}

/** Opens a process for occasional questions. */
export async function openGuarded(options: GuardOptions): Promise<Guarded> {
  const child = start(options);
  const listening: { onMessage: (message: object | undefined) => void } = { onMessage: () => {} };
  let isOver = false;
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-2_000)));
  child.on('message', (message: object) => listening.onMessage(message));
  child.on('close', () => {
    isOver = true;
    listening.onMessage(undefined);
  });
  const next = (): Promise<object | undefined> => new Promise((resolve) => (listening.onMessage = resolve));
  if ((await next()) === undefined)
    throw new Error(`${options.args.join(' ')} ended before it answered anything:\n${errors}`);
  return {
    async ask<Answer extends object>(question: Question) {
      if (isOver) return undefined;
      const timer = setTimeout(() => child.kill('SIGKILL'), options.questionMs);
      const answer = next();
      child.send(question);
      const given = (await answer) as Answer | undefined;
      clearTimeout(timer);
      return given;
    },
    close: () => void child.kill('SIGKILL'),
  };
}

function start({ module, args }: GuardOptions): ChildProcess {
  return fork(fileURLToPath(module), [...args], {
    execArgv: ['--conditions=@haft/source', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
}

/** Number of questions sent ahead: enough to hide the latency, few enough to know which one hangs. */
const ahead = 8;

/** Asks the remaining questions until all are answered or one fails. */
function feed(
  child: ChildProcess,
  questions: readonly Question[],
  answers: (object | undefined)[],
  { args, questionMs }: GuardOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const who = args.join(' ');
    let errors = '';
    let asked = answers.length;
    let isReady = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = (): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve();
    };
    const giveUp = (): void => {
      answers.push(undefined);
      settle();
    };
    const askOn = (): void => {
      for (; asked < questions.length && asked - answers.length < ahead; asked += 1) {
        const question = questions[asked];
        if (question !== undefined) child.send(question);
      }
      clearTimeout(timer);
      timer = setTimeout(giveUp, questionMs);
    };
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-2_000)));
    child.on('error', reject);
    child.on('close', (code) => {
      // A process that dies on a question gives no answer. A process that never started can't answer any question.
      if (isReady) return giveUp();
      reject(new Error(`${who} ended with ${String(code)} before it answered anything:\n${errors}`));
    });
    child.on('message', (message: Question | 'ready') => {
      if (message === 'ready') isReady = true;
      else if (message.id === questions[answers.length]?.id) answers.push(message);
      else return reject(new Error(`${who} answered ${message.id} out of turn`));
      if (answers.length >= questions.length) return settle();
      askOn();
    });
  });
}
