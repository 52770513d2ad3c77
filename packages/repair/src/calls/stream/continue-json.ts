import { isSame, type JsonObject } from '../../json/result/json-value.ts';
import { wholeEnd } from '../../json/text/characters.ts';
import { certainEnd } from '../../json/stream/live-string.ts';
import { JsonScanner } from '../source/json-scanner.ts';
import { parseJson } from '../../json/document/read-valid-document.ts';
import type { KeyFate } from '../settle/fit-arguments.ts';

/**
 * Continues the beginning of an object's JSON, so that both together are the JSON of `value`. A member may be repeated,
 * since readers of JSON use the last one. `whole`: the complete text that begins so, if it is valid JSON.
 */
export function continueJson(begun: string, value: JsonObject, whole: string | undefined): string {
  if (begun === '') return JSON.stringify(value);
  if (whole !== undefined && isSame(parseJson(whole), value)) return whole.slice(begun.length);
  const { closers, filler } = openEnds(begun);
  const rest = continueMembers(begun, value, filler);
  if (rest !== undefined && isSame(parseJson(begun + rest), value)) return rest;
  const members = JSON.stringify(value).slice(1);
  const isFirst = begun.trim() === '{' || members === '}';
  return `${filler}${closers.slice(0, -1)}${isFirst ? '' : ','}${members}`;
}

const tokens = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Returns the closers of the open containers, and the text that completes a string or replaces a missing value. */
function openEnds(begun: string): { readonly closers: string; readonly filler: string } {
  let closers = '';
  let last = '';
  for (const [token] of begun.matchAll(tokens)) {
    if (token === '{' || token === '[') closers = (token === '{' ? '}' : ']') + closers;
    else if (token === '}' || token === ']') closers = closers.slice(1);
    last = token;
  }
  if (last.startsWith('"')) return { closers, filler: parseJson(last) === undefined ? '"' : '' };
  return { closers, filler: last === ':' || last === ',' ? 'null' : '' };
}

/** Adds the missing members, if the beginning has only members of the value. */
function continueMembers(begun: string, value: JsonObject, filler: string): string | undefined {
  // With more open containers, or none, this is not valid JSON.
  const known = parseJson(`${begun}${filler}}`) as JsonObject | undefined;
  if (known === undefined) return undefined;
  const lastKey = Object.keys(known).at(-1) ?? '';
  const member = value[lastKey];
  let rest = '';
  if (filler === 'null') rest = JSON.stringify(member);
  else if (filler === '"') {
    const text = known[lastKey];
    if (typeof text !== 'string' || typeof member !== 'string' || !member.startsWith(text)) return undefined;
    rest = JSON.stringify(member.slice(text.length)).slice(1);
  }
  const others = Object.entries(value).filter(([key]) => !Object.hasOwn(known, key));
  const isFirst = Object.keys(known).length === 0;
  const added = others.map(
    ([key, one], at) => `${isFirst && at === 0 ? '' : ','}${JSON.stringify(key)}:${JSON.stringify(one)}`,
  );
  return `${rest}${added.join('')}}`;
}

/** Holds deltas back after a key that may not belong to the arguments of a call, because a delta can't be withdrawn. */
export class HeldKeys {
  /** Whether nothing is certain at present. */
  isOn = false;
  private first: string | undefined;
  private isChanged = false;
  private readonly fateOf: (key: string) => KeyFate;

  constructor(fateOf: (key: string) => KeyFate) {
    this.fateOf = fateOf;
  }

  add(key: string): void {
    const fate = this.fateOf(key);
    this.first ??= key;
    this.isChanged ||= fate === 'changed';
    // Only a single key can be a wrapper around all arguments.
    this.isOn = this.isChanged || (key === this.first && fate === 'foreign');
  }
}

interface JsonDelta {
  /** Receives the next chunk of an object's text. Returns the additional text that is certain now. */
  readonly take: (chunk: string) => string;
  readonly sent: () => string;
  readonly whole: () => string | undefined;
}

/**
 * Passes on valid JSON: everything before the latest value, and the part of an unfinished string that stays in it even
 * if its closing quote turns out to be missing. Nothing is certain after damage, or after a key of the root that may
 * not belong to the arguments.
 */
export function createJsonDelta(keys: HeldKeys): JsonDelta {
  const scanner = new JsonScanner(0, {
    open: (_kind, at) => at === 0,
    close: () => {},
    key: (key) => keys.add(key),
    string: () => {},
  });
  const isBroken = (): boolean => scanner.status === 'broken';
  const parts: string[] = [];
  let held = '';
  let sent = 0;
  return {
    take: (chunk) => {
      if (scanner.status !== 'open') return '';
      const before = scanner.at;
      scanner.scan(chunk);
      const added = chunk.slice(0, scanner.at - before);
      parts.push(added);
      held += added;
      const { valueAt, wholeAt, isInText, isInList } = scanner;
      if (keys.isOn || isBroken()) return '';
      const end = isInText ? certainLength(held.slice(0, wholeAt - sent), valueAt - sent, isInList) : valueAt - sent;
      if (end <= 0) return '';
      const more = held.slice(0, end);
      held = held.slice(end);
      sent += end;
      return more;
    },
    sent: () => parts.join('').slice(0, sent),
    whole: () => (scanner.status === 'closed' ? parts.join('') : undefined),
  };
}

const maxPathLength = 1_024;
const drivePattern = /^"[A-Za-z](?:$|:(?:$|\\))/;

/** Returns the length of the certain part of text that ends inside the string that begins at `quote`. */
function certainLength(text: string, quote: number, isInList: boolean): number {
  // Only the end of a path shows that its backslashes were not escaped.
  if (quote >= 0 && text.length - quote < maxPathLength && drivePattern.test(text.slice(quote, quote + 4)))
    return quote;
  return wholeEnd(text, certainEnd(text, quote + 1, text.length, isInList));
}
