import { createPaint, type Paint } from '../show/paint.ts';

/** Output of a command: results go to standard output, remarks to standard error. */
export interface Terminal {
  /** Writes to standard output unchanged. */
  write(text: string): void;
  /** Writes one line to standard output. */
  line(text?: string): void;
  /** Writes one line to standard error. */
  note(text: string): void;
  readonly paint: Paint;
  /** Whether standard output is a terminal. */
  readonly isInteractive: boolean;
  /** Width in columns; 100 if unknown. */
  readonly columns: number;
  /** Aborts when standard output is closed (`| head`). Later writes have no effect. */
  readonly closed: AbortSignal;
  /** From now on, redirects other output of this process (a plugin's `console.log`) to standard error. */
  reserve(): void;
  /** Resolves when all output has been written. */
  flush(): Promise<void>;
}

/** The terminal of a process. */
export interface ProcessTerminal extends Terminal {
  /** From now on, prints notes with this function, for example above a line that the user types. */
  printNotesWith(around: (print: () => void) => void): void;
}

/** Creates the terminal of a process. */
export function createTerminal(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): ProcessTerminal {
  const closed = new AbortController();
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    closed.abort();
  });
  stderr.on('error', () => {
    // Closing standard error does not end the program.
  });
  const writeOut: typeof stdout.write = Reflect.get(stdout, 'write');
  const write = (text: string): void => {
    if (!closed.signal.aborted) writeOut.call(stdout, text);
  };
  let around = (print: () => void): void => print();
  return {
    write,
    line: (text = '') => write(`${text}\n`),
    note: (text) => around(() => void stderr.write(`${text}\n`)),
    printNotesWith: (next) => {
      if (stderr.isTTY) around = next;
    },
    paint: createPaint(stdout),
    isInteractive: stdout.isTTY,
    get columns() {
      return stdout.columns || 100;
    },
    closed: closed.signal,
    reserve: () => {
      stdout.write = stderr.write.bind(stderr);
    },
    flush: async () => {
      await Promise.all([drain(stdout, writeOut), drain(stderr, Reflect.get(stderr, 'write'))]);
    },
  };
}

function drain(stream: NodeJS.WriteStream, write: NodeJS.WriteStream['write']): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else write.call(stream, '', 'utf8', () => resolve());
  });
}
