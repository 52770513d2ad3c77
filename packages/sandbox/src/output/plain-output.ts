import { createCodeUnitWriter } from './output-writer.ts';

/** Converts terminal output to plain text, chunk by chunk. */
export interface PlainOutput {
  /**
   * Converts raw bytes to plain text, including carriage returns. Holds back a sequence that may continue in the next
   * chunk.
   */
  push(bytes: Uint8Array): string;
  /** Returns the text that was held back. */
  end(): string;
  /** True if invalid UTF-8 or a NUL has been seen. */
  readonly isBinary: boolean;
}

// Control sequences (CSI), strings (OSC, DCS, SOS, PM, APC) and short escapes. No alternative matches an escape inside
// another, so that the time is linear.
const escapeSequence = /\x1B\[[0-?]*[ -/]*[@-~]|\x1B[\]PX^_][^\x07\x1B]*(?:\x07|\x1B\\)|\x1B[ -/]*[0-OQ-WYZ`-~]/g;
const unfinishedSequence = /\x1B(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1B]*\x1B?|[ -/]*)$/;
const maxSequenceLength = 4_096;
// Tab, line feed, carriage return and backspace are meaningful in plain text.
const anyControl = /[\0-\x07\x0B\x0C\x0E-\x1F\x7F-\x9F]/;

/** Removes escape sequences, makes other control characters visible, and replaces invalid UTF-8 with U+FFFD. */
export function createPlainOutput(): PlainOutput {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let pending = '';
  let isBinary = false;

  const clean = (text: string, last: boolean): string => {
    const whole = pending + text;
    pending = '';
    if (!anyControl.test(whole)) return whole;
    const open = last ? -1 : whole.search(unfinishedSequence);
    // A sequence that is too long is treated as text.
    if (open !== -1 && whole.length - open <= maxSequenceLength) pending = whole.slice(open);
    return showControls(whole.slice(0, whole.length - pending.length).replace(escapeSequence, ''));
  };

  return {
    push(bytes) {
      const text = decoder.decode(bytes, { stream: true });
      isBinary ||=
        text.includes('\0') ||
        (text.includes('\uFFFD') && !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('\uFFFD'));
      return clean(text, false);
    },
    end() {
      const rest = decoder.decode();
      isBinary ||= rest !== '';
      return clean(rest, true);
    },
    get isBinary() {
      return isBinary;
    },
  };
}

/** Replaces C0 controls with visible symbols. Bells and C1 controls are removed. */
function showControls(text: string): string {
  if (!anyControl.test(text)) return text;
  const writer = createCodeUnitWriter(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (
      (code >= 0x20 && code < 0x7f) ||
      code > 0x9f ||
      (code >= 0x08 && code <= 0x0d && code !== 0x0b && code !== 0x0c)
    ) {
      writer.push(code);
    } else if (code < 0x20 && code !== 0x07) writer.push(0x2400 + code);
    else if (code === 0x7f) writer.push(0x2421);
  }
  return writer.text();
}

/** Applies carriage returns and backspaces like a terminal, as far as progress bars need it. */
export interface LineCollapser {
  /** Appends plain text and returns settled lines. */
  push(text: string): string;
  /** The current state of the unfinished line. */
  readonly open: string;
  /** Returns the unfinished last line. */
  end(): string;
}

const maxOpenLineLength = 8_192;

/**
 * Retains the text after the last carriage return of each line. A line longer than 8 K characters is passed on
 * unchanged.
 */
export function createLineCollapser(): LineCollapser {
  let open = '';
  return {
    push(text) {
      const whole = open + text;
      const settled = whole.lastIndexOf('\n') + 1;
      const rest = whole.slice(settled);
      const lines = collapseLines(whole.slice(0, settled));
      open = rest.length > maxOpenLineLength ? collapseOpenLine(rest) : rest;
      if (open.length <= maxOpenLineLength) return lines;
      const last = open;
      open = '';
      return lines + last;
    },
    get open() {
      return collapseLines(open);
    },
    end() {
      const last = collapseLines(open);
      open = '';
      return last;
    },
  };
}

function collapseLines(text: string): string {
  if (!text.includes('\r') && !text.includes('\b')) return text;
  const lines = text.replace(/\r+\n/g, '\n').split('\n');
  return lines.map(collapseLine).join('\n');
}

function collapseLine(line: string): string {
  const shown = line.includes('\r') ? (line.split('\r').findLast((part) => part !== '') ?? '') : line;
  return shown.includes('\b') ? applyBackspaces(shown) : shown;
}

/** Retains a final carriage return, because the next text overwrites the line. */
function collapseOpenLine(line: string): string {
  return collapseLine(line) + (line.endsWith('\r') ? '\r' : '');
}

function applyBackspaces(line: string): string {
  const writer = createCodeUnitWriter(line.length);
  for (let index = 0; index < line.length; index += 1) {
    const code = line.charCodeAt(index);
    if (code === 0x08) writer.pop();
    else writer.push(code);
  }
  return writer.text();
}
