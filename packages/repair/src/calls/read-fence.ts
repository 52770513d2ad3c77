import { isNamePart } from '../json/characters.ts';
import type { EnvelopeIndex } from './envelope-index.ts';
import type { Source } from './envelope.ts';
import { findNext } from './find-next.ts';
import { readBody, type PlacedCalls } from './read-body.ts';
import { lineEndOf, skipSpace } from './text-span.ts';

/** A code fence and the calls that fill it. */
export interface Fence {
  readonly start: number;
  /** Where it ends, the closing fence included. */
  readonly end: number;
  /** The word after the opening fence, in lower case. */
  readonly language: string;
  /** The calls in it; none when anything else stands in it too. */
  readonly placed: readonly PlacedCalls[];
}

const CALL_LANGUAGES = new Set([
  'tool_call',
  'tool_calls',
  'tool_code',
  'tool',
  'tool_use',
  'function_call',
  'function',
]);
const DATA_LANGUAGES = new Set([
  '',
  'json',
  'json5',
  'jsonc',
  'xml',
  'python',
  'py',
  'text',
  'plaintext',
  'javascript',
  'js',
  'typescript',
  'ts',
]);

/** Whether a fence says by its language that it holds a call. */
export function isCallFence(fence: Fence): boolean {
  return CALL_LANGUAGES.has(fence.language);
}

/** Reads the fence whose backticks or tildes stand at an offset; `undefined` when that is no fence. */
export function readFence(source: Source, start: number, index: EnvelopeIndex): Fence | undefined {
  const { text } = source;
  const mark = text[start] ?? '';
  let at = start;
  while (text[at] === mark) at += 1;
  if (at - start < 3) return undefined;
  const fence = text.slice(start, at);
  const wordEnd = endOfWord(text, at);
  const language = text.slice(at, wordEnd).toLowerCase();
  const bodyStart = skipSpace(text, wordEnd);
  const isOwnLine = lineEndOf(text, at) === skipBlank(text, wordEnd);
  const canHoldCalls = CALL_LANGUAGES.has(language) || DATA_LANGUAGES.has(language);
  const placed = canHoldCalls ? readBody(source, bodyStart, index, CALL_LANGUAGES.has(language)) : [];
  const bodyEnd = skipSpace(text, placed.at(-1)?.end ?? bodyStart);
  if (placed.length > 0 && (bodyEnd >= text.length || text.startsWith(fence, bodyEnd))) {
    return { start, end: Math.min(text.length, bodyEnd + fence.length), language, placed };
  }
  const close = findNext(source, isOwnLine ? `\n${fence}` : fence, at);
  // A fence that never closes runs to the end; backticks within a line that never close are no fence.
  if (close === -1 && !isOwnLine) return undefined;
  const end = close === -1 ? text.length : close + fence.length + (isOwnLine ? 1 : 0);
  return { start, end, language, placed: [] };
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (isNamePart(text.charCodeAt(at))) at += 1;
  return at;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r') at += 1;
  return at;
}
