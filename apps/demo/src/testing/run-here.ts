import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { runProgram } from '../program/run-program.ts';
import { cliArguments, cliEnvironment, type CliResult, type RunCliOptions } from './run-cli.ts';

/** Options of {@link runHere}. */
export interface RunHereOptions extends Omit<RunCliOptions, 'onOutput'> {
  /** Receives output as it arrives, and may send a signal to the program. */
  readonly onOutput?: (output: string, send: (signal: NodeJS.Signals) => void) => void;
}

/**
 * Runs the program in this process, without a terminal to ask at. Use it instead of `runCli` where the start and the end
 * of the process do not matter: it loads the modules once for a test file.
 */
export async function runHere(
  args: readonly string[],
  { cwd = process.cwd(), input = '', env, onOutput }: RunHereOptions = {},
): Promise<CliResult> {
  let [stdout, stderr] = ['', ''];
  const source: EventEmitter = Object.assign(new EventEmitter(), {
    stdout: collect((text) => {
      stdout += text;
      onOutput?.(stdout, (signal) => source.emit(signal, signal));
    }),
    stderr: collect((text) => (stderr += text)),
    cwd: () => cwd,
  });
  const { argv, env: environment, stdin } = process;
  process.argv = [process.execPath, cliArguments.at(-1) ?? '', ...args];
  process.env = { ...cliEnvironment(env) };
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(input)]) });
  try {
    const code = await runProgram(args, source as unknown as NodeJS.Process, () => undefined);
    return { code, stdout, stderr };
  } finally {
    process.argv = argv;
    process.env = environment;
    Object.defineProperty(process, 'stdin', { configurable: true, value: stdin });
  }
}

function collect(add: (text: string) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      add(chunk.toString());
      done();
    },
  });
}
