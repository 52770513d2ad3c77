import type { JsonValue } from '@haft/repair';

/** The value of a cut document; undefined if it has none. */
export type PrefixValue = { readonly found: false } | { readonly found: true; readonly value: JsonValue };

const nothing: PrefixValue = { found: false };
const complete: Readonly<Record<string, JsonValue>> = { true: true, false: false, null: null };

/**
 * Reads the beginning of a valid document in a slow and simple way, as a reference for fast readers. Open containers
 * exist, finished members stay, a cut string keeps its complete escapes, a cut number its longest valid prefix, a cut
 * word is completed, and a member without the beginning of a value is dropped.
 */
export function readPrefix(text: string): PrefixValue {
  return readValue(text, skipSpace(text, 0)).result;
}

interface Reading {
  readonly result: PrefixValue;
  readonly end: number;
  /** Whether the text continued after the value, or the value marks its own end. */
  readonly finished: boolean;
}

function readValue(text: string, start: number): Reading {
  const first = text[start];
  if (first === undefined) return { result: nothing, end: start, finished: false };
  if (first === '{') return readObject(text, start);
  if (first === '[') return readList(text, start);
  if (first === '"') {
    const { value, end, finished } = readText(text, start);
    return { result: { found: true, value }, end, finished };
  }
  if (first === '-' || /\d/.test(first)) return readNumber(text, start);
  return readWord(text, start);
}

function readObject(text: string, start: number): Reading {
  const members: [string, JsonValue][] = [];
  const settle = (end: number, finished: boolean): Reading => ({
    result: { found: true, value: Object.fromEntries(members) },
    end,
    finished,
  });
  let at = skipSpace(text, start + 1);
  if (text[at] === '}') return settle(at + 1, true);
  while (at < text.length) {
    const key = readText(text, at);
    if (!key.finished) break;
    const colon = skipSpace(text, key.end);
    if (text[colon] !== ':') break;
    const value = readValue(text, skipSpace(text, colon + 1));
    if (value.result.found) members.push([key.value, value.result.value]);
    if (!value.finished) break;
    at = skipSpace(text, value.end);
    if (text[at] === '}') return settle(at + 1, true);
    at = skipSpace(text, at + 1);
  }
  return settle(text.length, false);
}

function readList(text: string, start: number): Reading {
  const items: JsonValue[] = [];
  const settle = (end: number, finished: boolean): Reading => ({
    result: { found: true, value: items },
    end,
    finished,
  });
  let at = skipSpace(text, start + 1);
  if (text[at] === ']') return settle(at + 1, true);
  while (at < text.length) {
    const value = readValue(text, at);
    if (value.result.found) items.push(value.result.value);
    if (!value.finished) break;
    at = skipSpace(text, value.end);
    if (text[at] === ']') return settle(at + 1, true);
    at = skipSpace(text, at + 1);
  }
  return settle(text.length, false);
}

function readText(
  text: string,
  start: number,
): { readonly value: string; readonly end: number; readonly finished: boolean } {
  let at = start + 1;
  let inside = '';
  while (at < text.length) {
    if (text[at] === '"') return { value: decode(inside), end: at + 1, finished: true };
    const length = text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
    if (at + length > text.length) break;
    inside += text.slice(at, at + length);
    at += length;
  }
  // Half of a surrogate pair is half a character, whether it was written as an escape or directly.
  return { value: decode(inside).replace(/[\uD800-\uDBFF]$/, ''), end: text.length, finished: false };
}

function decode(inside: string): string {
  return JSON.parse(`"${inside}"`) as string;
}

function readNumber(text: string, start: number): Reading {
  const written = /^[-+.\deE]+/.exec(text.slice(start))?.[0] ?? '';
  const valid = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/.exec(written)?.[0];
  const end = start + written.length;
  const result: PrefixValue = valid === undefined ? nothing : { found: true, value: Number(valid) };
  return { result, end, finished: end < text.length };
}

function readWord(text: string, start: number): Reading {
  const written = /^[a-z]+/.exec(text.slice(start))?.[0] ?? '';
  const word = Object.keys(complete).find((candidate) => candidate.startsWith(written));
  const end = start + written.length;
  if (word === undefined || written === '') return { result: nothing, end, finished: false };
  return { result: { found: true, value: complete[word] ?? null }, end, finished: written === word };
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/[ \t\r\n]/.test(text[at] ?? '')) at += 1;
  return at;
}
