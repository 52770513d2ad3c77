import { closeSync, constants, openSync, readSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import { createPaint, type Paint } from '../show/paint.ts';
import { createLineReader } from './line-reader.ts';

/** The user's terminal, even if standard input and output are redirected. */
export interface TerminalDevice {
  readonly paint: Paint;
  write(text: string): void;
  /** Drops lines that were typed before now, because they cannot answer a later question. */
  forget(): void;
  /** Reads the next line; `undefined` if the signal aborts or the terminal closes. */
  readLine(signal: AbortSignal): Promise<string | undefined>;
  /** Prints above the line that the user types, which stays. */
  printAbove(print: () => void): void;
  close(): void;
}

/** Signals after which the window may have another size. */
const resizing = ['SIGWINCH', 'SIGCONT'] as const;

/** Opens the controlling terminal; `undefined` if there is no terminal (a background job, a service, Windows). */
export function openTerminalDevice(): TerminalDevice | undefined {
  const streams = openStreams();
  if (!streams) return undefined;
  const { input, output } = streams;
  const reader = createLineReader(input, output);
  let gone = false;
  /** The text after the last line feed, which is the prompt of the next line. */
  let prompt = '';
  const resize = (): void => fitToWindow(output);
  // A suspended program does not receive SIGWINCH.
  for (const signal of resizing) process.on(signal, resize);
  const leave = (): void => {
    gone = true;
    for (const signal of resizing) process.removeListener(signal, resize);
    reader.close();
  };
  input.once('close', leave).once('end', leave).on('error', leave);
  output.on('error', leave);
  return {
    paint: createPaint(output),
    write: (text) => {
      const whole = prompt + text;
      const end = whole.lastIndexOf('\n') + 1;
      prompt = whole.slice(end);
      if (!gone) output.write(whole.slice(0, end));
    },
    forget: () => {
      // Two lines may have arrived at once.
      while (input.readableLength > 0 && input.read() !== null);
      dropWaitingLines();
      reader.forget();
    },
    readLine: async (signal) => {
      const shown = prompt;
      prompt = '';
      return gone || signal.aborted ? undefined : reader.read(shown, signal);
    },
    printAbove: (print) => reader.printAbove(print),
    close: () => {
      leave();
      input.destroy();
      output.destroy();
    },
  };
}

function openStreams(): { readonly input: ReadStream; readonly output: WriteStream } | undefined {
  const opened: number[] = [];
  const open = (flags: 'r' | 'w'): number => {
    const descriptor = openSync('/dev/tty', flags);
    opened.push(descriptor);
    return descriptor;
  };
  try {
    return { input: new ReadStream(open('r')), output: new WriteStream(open('w')) };
  } catch {
    for (const descriptor of opened) closeSync(descriptor);
    return undefined;
  }
}

/** Gives a stream the present size of the window. Node does that only for standard output and standard error. */
function fitToWindow(output: WriteStream): void {
  try {
    const measured = new WriteStream(openSync('/dev/tty', 'w'));
    const { columns, rows } = measured;
    measured.destroy();
    if (output.columns === columns && output.rows === rows) return;
    Object.assign(output, { columns, rows });
    output.emit('resize');
  } catch {
    // The terminal is gone.
  }
}

/** Drains the terminal's input with its own non-blocking descriptor. */
function dropWaitingLines(): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const line = Buffer.alloc(4_096);
    while (readSync(descriptor, line) > 0);
  } catch {
    // EAGAIN: no input is left.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
