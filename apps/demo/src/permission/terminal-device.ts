import { closeSync, constants, openSync, readSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ReadStream, WriteStream } from 'node:tty';
import { createPaint, type Paint } from '../show/paint.ts';

/** The user's terminal, even if standard input and output are redirected. */
export interface TerminalDevice {
  readonly paint: Paint;
  write(text: string): void;
  /** Drops lines that were typed before now, because they cannot answer a later question. */
  forget(): void;
  /** Reads the next line; `undefined` if the signal aborts or the terminal closes. */
  readLine(signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** Opens the controlling terminal; `undefined` if there is no terminal (a background job, a service, Windows). */
export function openTerminalDevice(): TerminalDevice | undefined {
  const streams = openStreams();
  if (!streams) return undefined;
  const { input, output } = streams;
  // Line mode: the terminal edits the line, and Ctrl-C stays a signal.
  const lines = createInterface({ input, terminal: false });
  let gone = false;
  const leave = (): void => {
    gone = true;
  };
  lines.once('close', leave);
  input.on('error', leave);
  output.on('error', leave);
  lines.pause();
  return {
    paint: createPaint(output),
    write: (text) => {
      if (!gone) output.write(text);
    },
    forget: () => {
      // Two lines may have arrived at once.
      while (input.readableLength > 0 && input.read() !== null);
      dropWaitingLines();
    },
    readLine: (signal) =>
      new Promise((resolve) => {
        if (gone || signal.aborted) return resolve(undefined);
        const end = (line: string | undefined): void => {
          lines.off('line', onLine).off('close', onEnd);
          signal.removeEventListener('abort', onEnd);
          if (!gone) lines.pause();
          resolve(line);
        };
        const onLine = (line: string): void => end(line);
        const onEnd = (): void => end(undefined);
        lines.on('line', onLine).on('close', onEnd);
        signal.addEventListener('abort', onEnd, { once: true });
        return lines.resume();
      }),
    close: () => {
      lines.close();
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
