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

/** Prompt of the last line of a paste. */
const furtherPrompt = '  … ';

/**
 * A paste has ended when no key follows its end mark for this time, in milliseconds. Pasted text may contain an end mark,
 * too, and what follows it must not be taken for typed keys.
 */
const pauseAfterMark = 30;

/** The same for a paste without an end mark: another program may have read the mark. */
const pauseWithoutMark = 2_000;

/** Control characters except tabs, carriage returns and line feeds. */
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** A key without an effect in an editor. */
const ignoredKey: Key = { sequence: '', name: '', ctrl: true, meta: false, shift: false };

interface Paste {
  text: string;
  /** Ends the paste. Each key starts it again. */
  timer: NodeJS.Timeout;
}

/**
 * Creates a reader. The terminal is in raw mode only while a line is read, so that Ctrl-C is a signal at all other
 * times.
 */
export function createLineReader(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): LineReader {
  /** Lines that arrived together with an earlier one. */
  let waiting: string[] = [];
  /** The lines of a paste. The user ends the last one with the Enter key. */
  let pasted: string[] = [];
  /** The paste that arrives now. */
  let paste: Paste | undefined;
  /** The beginning of the next line. */
  let begun = '';
  let open: OpenRead | undefined;
  /** The read that goes on when the suspended program continues. */
  let suspended: Pick<OpenRead, 'end'> | undefined;

  const dropPaste = (): void => {
    clearTimeout(paste?.timer);
    paste = undefined;
  };
  /** Inserts a paste that has ended. Its lines wait for the Enter key. */
  const insertPaste = (): void => {
    const [first = '', ...others] = paste?.text.split(/\r\n|\r|\n/) ?? [];
    const { editor } = open ?? {};
    editor?.write(first);
    for (const line of others) {
      editor?.write(null, { name: 'enter' });
      editor?.write(line);
    }
    paste = undefined;
    if (pasted.length > 0) editor?.prompt(true);
  };
  /** Collects the keys of a paste, and keeps them from the editor: a pasted Ctrl-C or Ctrl-D is not a command. */
  const collect = (text: string | undefined, key: Key): void => {
    const { name } = key;
    if (name === 'paste-start') paste ??= { text: '', timer: setTimeout(insertPaste, pauseWithoutMark) };
    if (!paste) return;
    if (name === 'paste-end') {
      clearTimeout(paste.timer);
      paste.timer = setTimeout(insertPaste, pauseAfterMark);
    } else {
      paste.timer.refresh();
      if (text !== undefined && key.meta !== true && !control.test(text)) paste.text += text;
    }
    Object.assign(key, ignoredKey);
  };

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
    // The editor listens, too, and must see the key afterwards.
    input.prependListener('keypress', collect);
    editor.on('line', (line) => {
      if (paste) {
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
      input.removeListener('keypress', collect);
      if (open?.editor !== editor) return;
      output.write(endPastes);
      end(undefined);
    });
    // As the terminal itself does outside raw mode: for all programs in the foreground.
    editor.on('SIGINT', () => process.kill(0, 'SIGINT'));
    editor.on('SIGTSTP', () => suspend(editor));
  };
  /** Removes the prompt from the screen. Returns a function that shows it again. */
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
    dropPaste();
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
          dropPaste();
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
      dropPaste();
      begun = '';
    },
    close() {
      open?.editor.close();
      suspended?.end(undefined);
    },
  };
}
