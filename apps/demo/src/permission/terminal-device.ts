import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ReadStream, WriteStream } from 'node:tty';
import { createPaint, type Paint } from '../show/paint.ts';

/** The terminal a person sits at, whatever standard input and output are connected to. */
export interface TerminalDevice {
  readonly paint: Paint;
  write(text: string): void;
  /** The next line that is typed; `undefined` when the signal aborts or the terminal goes away. */
  readLine(signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** Opens the controlling terminal; `undefined` where there is none (a job, a pipe line in a service, Windows). */
export function openTerminalDevice(): TerminalDevice | undefined {
  const streams = openStreams();
  if (!streams) return undefined;
  const { input, output } = streams;
  // Line mode: the terminal itself edits the line, and Ctrl-C stays a signal.
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
