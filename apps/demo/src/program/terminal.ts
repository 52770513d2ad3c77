import { createPaint, type Paint } from '../show/paint.ts';

/** Where a command writes. Standard output belongs to what was asked for; remarks go to standard error. */
export interface Terminal {
  /** Writes to standard output as it is. */
  write(text: string): void;
  /** Writes one line to standard output. */
  line(text?: string): void;
  /** Writes one line about what is going on to standard error. */
  note(text: string): void;
  readonly paint: Paint;
  /** Whether a person watches standard output. */
  readonly isInteractive: boolean;
  /** Width in columns; 100 when it is not known. */
  readonly columns: number;
  /** Aborts when nobody reads standard output any more (`| head`); writing goes on without effect. */
  readonly closed: AbortSignal;
  /** Sends what others in this process write to standard output (a plugin's `console.log`) to standard error from now on. */
  reserve(): void;
  /** Resolves when everything written has left the process. */
  flush(): Promise<void>;
}

/** Makes the terminal of a process's own streams. */
export function createTerminal(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Terminal {
  const closed = new AbortController();
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    closed.abort();
  });
  stderr.on('error', () => {
    // Remarks that nobody reads are no reason to stop.
  });
  const writeOut: typeof stdout.write = Reflect.get(stdout, 'write');
  const write = (text: string): void => {
    if (!closed.signal.aborted) writeOut.call(stdout, text);
  };
  return {
    write,
    line: (text = '') => write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
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
