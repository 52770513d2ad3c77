import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { cliArguments, cliEnvironment } from './run-cli.ts';

/** Whether this machine can run a program at its own pseudo-terminal: `script` of util-linux can. */
export const hasPseudoTerminals: boolean =
  process.platform === 'linux' &&
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'script')));

/** What the user saw at the terminal. */
export interface TerminalRun {
  readonly code: number | null;
  /** Everything on the screen, without colours, with line feeds only. */
  readonly screen: string;
  /** The same with colours. */
  readonly raw: string;
}

/** Options of {@link runAtTerminal}. */
export interface TerminalRunOptions {
  readonly cwd: string;
  /** Shell text after the program's arguments, such as `< file | cat`. */
  readonly redirections?: string;
  /** Starts the program from an interactive shell with job control, whose prompt is `shell> `. */
  readonly isJob?: boolean;
  /** Typed text; each is typed, and its action runs, when its cue has appeared after the previous one. */
  readonly typed: readonly { readonly cue: string; readonly text: string; readonly act?: () => void }[];
}

const shellPrompt = 'shell> ';

/** Runs the program at a pseudo-terminal and types into it. */
export function runAtTerminal(args: readonly string[], options: TerminalRunOptions): Promise<TerminalRun> {
  const { cwd, redirections = '', isJob = false } = options;
  const words = [process.execPath, ...cliArguments, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  // A shell that stays would receive Ctrl-C, too, and return its own exit code.
  const replacing = redirections.includes('&&') ? '' : 'exec ';
  const line = `${words.join(' ')} ${redirections}`;
  const typed = isJob ? [{ cue: shellPrompt, text: `${line}\n` }, ...options.typed] : options.typed;
  const command = isJob ? 'exec bash --norc --noediting -i' : `${replacing}${line}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: cliEnvironment({ TERM: 'xterm-256color', ...(isJob && { PS1: shellPrompt }) }),
    detached: true,
  });
  let raw = '';
  let seen = 0;
  let next = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    raw += text;
    for (let step = typed[next]; step; step = typed[next]) {
      const at = raw.indexOf(step.cue, seen);
      if (at < 0) return;
      seen = at + step.cue.length;
      next += 1;
      step.act?.();
      child.stdin.write(step.text);
    }
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, raw, screen: stripVTControlCharacters(raw).replaceAll('\r\n', '\n') });
    });
  });
}
