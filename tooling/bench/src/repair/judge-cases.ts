import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Case } from './cases.ts';
import type { Answer } from './reader-process.ts';

/** How a reader is asked. */
export interface JudgeOptions {
  /** How long one case may take before its reader is ended and the case counts as hung. */
  readonly caseMs: number;
  readonly show?: boolean;
}

const hung: Omit<Answer, 'id'> = {
  verdict: { outcome: 'hung', unmarked: false, changedString: false },
  shown: 'did not come back in time',
};

/** Has a reader read every case in a process of its own; one that hangs or dies is started again for the next case. */
export async function judgeCases(
  reader: string,
  cases: readonly Case[],
  options: JudgeOptions,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < cases.length) {
    const child = fork(
      fileURLToPath(new URL('reader-process.ts', import.meta.url)),
      [reader, options.show === true ? 'show' : 'hide'],
      {
        execArgv: ['--conditions=@haft/source', '--disable-warning=ExperimentalWarning'],
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        serialization: 'advanced',
      },
    );
    try {
      await feed(child, reader, cases, answers, options.caseMs);
    } finally {
      child.kill('SIGKILL');
    }
  }
  return answers;
}

/** How many cases are on their way at once: enough to hide the way, few enough to know which one hangs. */
const ahead = 8;

/** Sends what is left of the cases until all are answered, or one is not. */
function feed(
  child: ChildProcess,
  reader: string,
  cases: readonly Case[],
  answers: Answer[],
  caseMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let errors = '';
    let sent = answers.length;
    let ready = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => finish(hung), caseMs);
    };
    const finish = (last?: Omit<Answer, 'id'>): void => {
      clearTimeout(timer);
      if (last !== undefined) answers.push({ id: cases[answers.length]?.id ?? '', ...last });
      child.removeAllListeners();
      resolve();
    };
    const send = (): void => {
      while (sent < cases.length && sent - answers.length < ahead) {
        const next = cases[sent];
        sent += 1;
        if (next !== undefined) child.send(next);
      }
    };
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-2_000)));
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      // One that dies on a case has no value for it; one that never began cannot be measured.
      if (ready) finish(hung);
      else reject(new Error(`${reader} ended with ${String(code)} before it read anything:\n${errors}`));
    });
    child.on('message', (message: Answer | 'ready') => {
      if (message === 'ready') ready = true;
      else if (message.id === cases[answers.length]?.id) answers.push(message);
      else return reject(new Error(`${reader} answered ${message.id} out of turn`));
      if (answers.length >= cases.length) return finish();
      send();
      watch();
    });
  });
}
