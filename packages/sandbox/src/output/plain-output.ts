import { createCodeUnitWriter } from './code-unit-writer.ts';

/** Turns what a program writes for a terminal into plain text, chunk by chunk. */
export interface PlainOutput {
  /** Takes raw bytes, gives plain text; what may continue in the next chunk is held back. Carriage returns are left in. */
  push(bytes: Uint8Array): string;
  /** Gives what was held back. */
  end(): string;
  /** Bytes that are not UTF-8, or a NUL, have been seen. */
  readonly isBinary: boolean;
}

// Control sequences (CSI), the strings (OSC, DCS, SOS, PM, APC), and short escapes. No part matches an escape inside another, so
// that the time stays linear.
const escapeSequence = /\x1B\[[0-?]*[ -/]*[@-~]|\x1B[\]PX^_][^\x07\x1B]*(?:\x07|\x1B\\)|\x1B[ -/]*[0-OQ-WYZ`-~]/g;
const unfinishedSequence = /\x1B(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1B]*\x1B?|[ -/]*)$/;
const longestSequence = 4_096;
// Tab, line feed, carriage return and backspace mean something in plain text.
const anyControl = /[\0-\x07\x0B\x0C\x0E-\x1F\x7F-\x9F]/;

/** Removes escape sequences, makes other control characters visible, replaces bytes that are not UTF-8 by U+FFFD. */
export function createPlainOutput(): PlainOutput {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let held = '';
  let isBinary = false;

  const clean = (text: string, last: boolean): string => {
    const whole = held + text;
    held = '';
    if (!anyControl.test(whole)) return whole;
    const open = last ? -1 : whole.search(unfinishedSequence);
    // What never ends is no sequence.
    if (open !== -1 && whole.length - open <= longestSequence) held = whole.slice(open);
    return showControls(whole.slice(0, whole.length - held.length).replace(escapeSequence, ''));
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

/** Below blank: visible pictures of the controls. A bell and the controls from 0x80 on show nothing. */
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

/** Applies carriage returns and backspaces as a terminal would show them, as far as progress bars need. */
export interface LineCollapser {
  /** Takes plain text, gives lines that are settled. */
  push(text: string): string;
  /** What the open line shows so far; it goes on. */
  readonly open: string;
  /** Gives the last, open line. */
  end(): string;
}

const longestOpenLine = 8_192;

/** Keeps of each line what was written after its last carriage return; a line longer than 8 K characters is passed on as it comes. */
export function createLineCollapser(): LineCollapser {
  let open = '';
  return {
    push(text) {
      const whole = open + text;
      const settled = whole.lastIndexOf('\n') + 1;
      const rest = whole.slice(settled);
      const lines = collapseLines(whole.slice(0, settled));
      open = rest.length > longestOpenLine ? collapseOpenLine(rest) : rest;
      if (open.length <= longestOpenLine) return lines;
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

/** A return at the end is kept: what comes next will overwrite the line. */
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
