import { matchEnd, numberSource } from '../../json/text/characters.ts';
import { plainPattern } from '../../json/text/plain-text.ts';
import { parseJson } from '../../json/document/read-valid-document.ts';

/** Receives the content of a container in scanned JSON. */
export interface JsonObserver {
  /** A container opens in it. Returns undefined to skip the content of that container. */
  readonly open: (kind: 'object' | 'list', at: number) => JsonObserver | undefined;
  /** It closes. `at` is the offset after its closer. */
  readonly close?: (at: number) => void;
  readonly key?: (key: string) => void;
  /** A string value, cut after 256 characters. */
  readonly string?: (value: string) => void;
}

type State = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'after-value' | 'string' | 'scalar';

const maxReportedLength = 256;
const maxScalarLength = 1_000;
const escapePattern = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const cutEscapePattern = /\\(?:u[\da-fA-F]{0,3})?$/y;
const scalarPattern = /[^\s,:"{}[\]]*/y;
const begunScalar = /^(?:t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|-?(?:\d[\d.eE+-]*)?)$/;
const validScalar = new RegExp(`^(?:true|false|null|${numberSource})$`);

/** Scans an object or list in JSON that arrives in chunks, as strictly as `JSON.parse`, and never reads a character twice. */
export class JsonScanner {
  /** `open` until the root closes, or until a character that JSON does not allow. */
  status: 'open' | 'closed' | 'broken' = 'open';
  /** The offset after the closer of the root, before the damage, or at the end of the last chunk. */
  at: number;
  /** The offset after the last colon between a key and its value. */
  colonAt = 0;
  /** The beginning of the last value, or the offset after its opener if it is a container. */
  valueAt: number;
  private state: State = 'value';
  /** The closers of the open containers, innermost last. */
  private readonly closers: number[] = [];
  /** The observers of the text and of the open containers, innermost last. */
  private readonly observers: (JsonObserver | undefined)[];
  private isKey = false;
  /** The scalar so far, or a string that the observer receives. */
  private token = '';
  /** An escape at the end of the last chunk that is not complete. */
  private carry = '';

  /** `observer` receives the root as if it were in a list. */
  constructor(start: number, observer?: JsonObserver) {
    this.at = start;
    this.valueAt = start;
    this.observers = [observer];
  }

  /** Whether the offset is inside a string value. */
  get isInText(): boolean {
    return this.state === 'string' && !this.isKey;
  }

  /** The end of the last complete character. */
  get wholeAt(): number {
    return this.at - this.carry.length;
  }

  /** Whether the innermost open container is a list. */
  get isInList(): boolean {
    return this.closers.at(-1) === 0x5d;
  }

  /** Returns the end of an unfinished string or a missing value, and the closers of the open containers, innermost first. */
  missing(): { readonly filler: string; readonly closers: string } {
    const filler = this.isInText ? '"' : this.state === 'value' ? 'null' : '';
    let closers = '';
    for (const code of this.closers) closers = String.fromCharCode(code) + closers;
    return { filler, closers };
  }

  scan(chunk: string): void {
    const text = this.carry + chunk;
    const base = this.at - this.carry.length;
    this.carry = '';
    let index = 0;
    while (this.status === 'open' && index < text.length) {
      this.at = base + index;
      const { state } = this;
      const next =
        state === 'string'
          ? this.takeString(text, index)
          : state === 'scalar'
            ? this.takeScalar(text, index)
            : this.takeSign(text, index);
      if (next < 0) {
        this.status = 'broken';
        if (state === 'string') this.at = base - 1 - next;
        return;
      }
      index = next;
    }
    this.at = base + index;
  }

  private open(closer: number): void {
    const isObject = closer === 0x7d;
    this.observers.push(this.observers.at(-1)?.open(isObject ? 'object' : 'list', this.at));
    this.closers.push(closer);
    this.valueAt = this.at + 1;
    this.state = isObject ? 'first-key' : 'first-value';
  }

  private close(): void {
    this.observers.pop()?.close?.(this.at + 1);
    this.closers.pop();
    if (this.closers.length === 0) this.status = 'closed';
    this.state = 'after-value';
  }

  /** Reads one character between values. Returns the next index, or -1 if JSON does not allow the character. */
  private takeSign(text: string, index: number): number {
    const code = text.charCodeAt(index);
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) return index + 1;
    const { state } = this;
    const closer = this.closers.at(-1);
    if (code === closer && (state === 'after-value' || state === 'first-key' || state === 'first-value')) this.close();
    else if (state === 'after-value') {
      if (code !== 0x2c) return -1;
      this.state = closer === 0x7d ? 'key' : 'value';
    } else if (state === 'colon') {
      if (code !== 0x3a) return -1;
      this.colonAt = this.at + 1;
      this.state = 'value';
    } else {
      this.isKey = state === 'key' || state === 'first-key';
      if (!this.isKey) this.valueAt = this.at;
      this.token = '';
      if (code === 0x22) this.state = 'string';
      else if (this.isKey) return -1;
      else if (code === 0x7b || code === 0x5b) this.open(code + 2);
      else {
        this.state = 'scalar';
        return index;
      }
    }
    return index + 1;
  }

  private takeString(text: string, from: number): number {
    let index = from;
    do {
      index = matchEnd(plainPattern, text, index);
      const escapeEnd = matchEnd(escapePattern, text, index);
      if (escapeEnd === -1) break;
      index = escapeEnd;
    } while (index < text.length);
    const observer = this.observers.at(-1);
    const receive = this.isKey ? observer?.key : observer?.string;
    if (receive !== undefined && this.token.length < maxReportedLength)
      this.token += text.slice(from, Math.min(index, from + maxReportedLength));
    if (index >= text.length) return index;
    if (text[index] === '"') {
      // A string that was shortened may end within an escape.
      receive?.((parseJson(`"${this.token}"`) as string | undefined) ?? this.token);
      this.state = this.isKey ? 'colon' : 'after-value';
      return index + 1;
    }
    if (matchEnd(cutEscapePattern, text, index) === -1) return -1 - index;
    this.carry = text.slice(index);
    return text.length;
  }

  private takeScalar(text: string, from: number): number {
    const index = matchEnd(scalarPattern, text, from);
    this.token += text.slice(from, index);
    if (index >= text.length && this.token.length <= maxScalarLength) return begunScalar.test(this.token) ? index : -1;
    if (!validScalar.test(this.token)) return -1;
    this.state = 'after-value';
    return index;
  }
}
