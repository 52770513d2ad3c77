import { clearScreenDown, createInterface, cursorTo, moveCursor, type Interface, type Key } from 'node:readline';

/** Reads lines from a terminal, whose user can edit them. */
export interface LineReader {
  /** Reads the next line, or the lines of a paste and what is typed after them; `undefined` if the signal aborts or the terminal closes. */
  read(prompt: string, signal: AbortSignal): Promise<string | undefined>;
  /** Prints while a line is read: above the prompt, which stays with what was typed. */
  printAbove(print: () => void): void;
  /** Drops what was typed after the last line. */
  forget(): void;
  /** Ends the current read without a line. */
  close(): void;
}

interface OpenRead {
  readonly editor: Interface;
  readonly prompt: string;
  readonly end: (line: string | undefined) => void;
}

/** Asks the terminal to mark the beginning and the end of pasted text ("bracketed paste"), and to stop doing so. */
const markPastes = '\u001b[?2004h';
const endPastes = '\u001b[?2004l';

/** Stands before the last line of a paste. */
const furtherPrompt = '  … ';

/**
 * Creates a reader. The terminal is in raw mode only while a line is read, so that Ctrl-C is a signal at all other
 * times.
 */
export function createLineReader(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): LineReader {
  /** Lines that arrived together with an earlier one. */
  let waiting: string[] = [];
  /** The lines of a paste. The user ends the last one with the Enter key. */
  let pasted: string[] = [];
  /** The beginning of the next line. */
  let begun = '';
  let open: OpenRead | undefined;
  /** The read whose prompt is away while the program is suspended. */
  let suspended: Pick<OpenRead, 'end'> | undefined;

  /** Ends the editing of a line. Returns the typed text. */
  const leave = (editor: Interface): string => {
    const { line } = editor;
    open = undefined;
    editor.close();
    output.write(endPastes);
    return line;
  };
  const edit = (prompt: string, end: OpenRead['end']): void => {
    const shown = pasted.length === 0 ? prompt : furtherPrompt;
    const editor = createInterface({ input, output, prompt: shown, terminal: true });
    open = { editor, prompt, end };
    output.write(markPastes);
    editor.prompt();
    if (begun !== '') editor.write(begun);
    begun = '';
    let isPasting = false;
    const onKey = (_: unknown, { name }: Key): void => {
      if (name === 'paste-start') isPasting = true;
      if (name !== 'paste-end') return;
      isPasting = false;
      if (pasted.length > 0) editor.prompt(true);
    };
    input.on('keypress', onKey);
    editor.on('line', (line) => {
      if (isPasting) {
        pasted.push(line);
        editor.setPrompt(furtherPrompt);
        return;
      }
      const whole = [...pasted, line].join('\n');
      pasted = [];
      // Without marks, the lines of a paste arrive together.
      if (waiting.push(whole) === 1) queueMicrotask(() => finish(editor));
    });
    editor.on('close', () => {
      input.removeListener('keypress', onKey);
      if (open?.editor !== editor) return;
      output.write(endPastes);
      end(undefined);
    });
    // As the terminal itself does outside raw mode: for all programs in the foreground.
    editor.on('SIGINT', () => process.kill(0, 'SIGINT'));
    editor.on('SIGTSTP', () => suspend(editor));
  };
  /** Takes the prompt away, without a trace, and returns a function that shows it again. */
  const hide = ({ editor, prompt, end }: OpenRead): (() => void) => {
    moveCursor(output, 0, -editor.getCursorPos().rows);
    cursorTo(output, 0);
    clearScreenDown(output);
    begun = leave(editor);
    return () => edit(prompt, end);
  };
  /** Stops all programs in the foreground. The terminal is not in raw mode meanwhile. */
  const suspend = (editor: Interface): void => {
    if (open?.editor !== editor) return;
    const { prompt, end } = open;
    begun = leave(editor);
    output.write('\n');
    suspended = { end };
    // Returns when the program continues, or at once if the shell has no job control.
    process.kill(0, 'SIGTSTP');
    // First, signals that arrived in the meantime are handled: a program that must end leaves the terminal alone.
    setImmediate(() =>
      setImmediate(() => {
        if (suspended?.end !== end) return;
        suspended = undefined;
        edit(prompt, end);
      }),
    );
  };
  // Another program may have stopped this one, and the shell may have left the raw mode.
  const onContinue = (): void => {
    if (open) hide(open)();
  };
  const finish = (editor: Interface): void => {
    if (open?.editor !== editor) return;
    const { end } = open;
    begun = leave(editor);
    if (begun !== '') output.write('\n');
    end(waiting.shift());
  };

  return {
    read: (prompt, signal) =>
      new Promise((resolve) => {
        const end = (line: string | undefined): void => {
          open = undefined;
          suspended = undefined;
          pasted = [];
          process.removeListener('SIGCONT', onContinue);
          signal.removeEventListener('abort', onAbort);
          // Ends the line of the prompt.
          if (line === undefined) output.write('\n');
          resolve(line);
        };
        const onAbort = (): void => {
          if (open) leave(open.editor);
          end(undefined);
        };
        const line = waiting.shift();
        if (line !== undefined) {
          output.write(`${prompt}${line}\n`);
          return resolve(line);
        }
        signal.addEventListener('abort', onAbort, { once: true });
        process.on('SIGCONT', onContinue);
        return edit(prompt, end);
      }),
    printAbove(print) {
      if (!open) return print();
      const show = hide(open);
      print();
      show();
    },
    forget() {
      waiting = [];
      pasted = [];
      begun = '';
    },
    close() {
      open?.editor.close();
      suspended?.end(undefined);
    },
  };
}
