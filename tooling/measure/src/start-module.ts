import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { commandOf, environmentOf, type ModuleOptions } from './run-child.ts';

/** A module that runs in a process of its own. `await using` kills it at the end of the block. */
export interface StartedModule extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Resolves with the first line of its output that matches. Rejects if it ends before. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ends it with a signal, or by closing its standard input, and waits for its exit. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a module of the sources. Its errors are shown on standard error. */
export function startModule(module: URL, args: readonly string[], options: ModuleOptions = {}): StartedModule {
  const [command, ...more] = commandOf(module, args, options);
  const child = spawn(command, more, { env: environmentOf(options), stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const output = createInterface(child.stdout).on('line', (line) => void lines.push(line));
  const end: StartedModule['end'] = async (signal) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    if (signal === undefined) child.stdin.end();
    else child.kill(signal);
    await ended;
  };
  return {
    child,
    end,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null);
          if (found) resolve(found);
        };
        output.on('line', check);
        child.once('error', reject);
        child.once('exit', () => reject(new Error(`${module.pathname} ended before it printed ${pattern}`)));
        check();
      }),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
}
