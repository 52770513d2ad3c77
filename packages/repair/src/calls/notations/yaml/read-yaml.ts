import { repairJson } from '../../../json/document/repair-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/result/json-value.ts';
import type { Shape } from '../../../json/result/declared-shape.ts';
import { parseJson } from '../../source/parse-json.ts';
import { readTextValue } from '../text-values.ts';

interface Line {
  readonly indent: number;
  readonly content: string;
  readonly raw: string;
}

interface Part {
  readonly value: JsonValue;
  readonly next: number;
}

const maxDepth = 32;
const keyPattern = /^(?:"([^"]{1,128})"|'([^']{1,128})'|([^\s:#'"[\]{},-][^:#]{0,127}?)):(?:\s+|$)/;

/** Reads a mapping in the subset of YAML that models write. Returns undefined for anything else. */
export function readYamlMapping(text: string, shape?: Shape): JsonObject | undefined {
  const lines = text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((raw): Line => {
      const content = raw.trim();
      return { indent: raw.length - raw.trimStart().length, content, raw };
    });
  const first = nextFilled(lines, 0);
  const line = lines[first];
  if (line === undefined || !keyPattern.test(line.content)) return undefined;
  const part = readMapping(lines, first, { indent: line.indent, depth: 0, shape });
  if (part === undefined || nextFilled(lines, part.next) < lines.length) return undefined;
  return isJsonObject(part.value) ? part.value : undefined;
}

function nextFilled(lines: Line[], from: number): number {
  let at = from;
  while (at < lines.length && (lines[at]?.content === '' || lines[at]?.content.startsWith('#') === true)) at += 1;
  return at;
}

interface Level {
  readonly indent: number;
  readonly depth: number;
  readonly shape: Shape | undefined;
}

function readMapping(lines: Line[], from: number, { indent, depth, shape }: Level): Part | undefined {
  if (depth > maxDepth) return undefined;
  const members: [string, JsonValue][] = [];
  let at = from;
  for (;;) {
    at = nextFilled(lines, at);
    const line = lines[at];
    if (line === undefined || line.indent < indent || isItem(line)) break;
    const match = keyPattern.exec(line.content);
    if (match === null || line.indent > indent) return undefined;
    const key = match[1] ?? match[2] ?? match[3] ?? '';
    const level = { indent, depth, shape: shape?.member(key) };
    const part = readValue(lines, at, line.content.slice(match[0].length), level);
    if (part === undefined) return undefined;
    members.push([key, part.value]);
    at = part.next;
  }
  return { value: Object.fromEntries(members), next: at };
}

function readList(lines: Line[], from: number, { indent, depth, shape }: Level): Part | undefined {
  if (depth > maxDepth) return undefined;
  const items: JsonValue[] = [];
  let at = from;
  for (;;) {
    at = nextFilled(lines, at);
    const line = lines[at];
    if (line === undefined || line.indent !== indent || !isItem(line)) break;
    const rest = line.content.slice(1).trimStart();
    const inner = indent + line.content.length - rest.length;
    // The first key of a mapping in a list is on the line of its dash, and so is the first item of a list.
    const held = { indent: inner, content: rest, raw: line.raw };
    const readHeld = keyPattern.test(rest) ? readMapping : isItem(held) ? readList : undefined;
    if (readHeld !== undefined) lines[at] = held;
    const own = shape?.item(items.length);
    const part =
      readHeld === undefined
        ? readValue(lines, at, rest, { indent, depth, shape: own })
        : readHeld(lines, at, { indent: inner, depth: depth + 1, shape: own });
    if (part === undefined) return undefined;
    items.push(part.value);
    at = part.next;
  }
  return { value: items, next: at };
}

function isItem(line: Line): boolean {
  return line.content === '-' || line.content.startsWith('- ');
}

function readValue(lines: Line[], at: number, rest: string, { indent, depth, shape }: Level): Part | undefined {
  const block = /^([|>])([+-]?)\d?([+-]?)$/.exec(rest);
  if (block !== null) return readBlock(lines, at + 1, indent, block[1] === '>', `${block[2]}${block[3]}`);
  if (/^["']/.test(rest) && !isClosedQuote(rest)) return readQuotedLines(lines, at, rest);
  if (rest !== '') return readPlain(lines, at + 1, rest, indent, shape);
  const next = nextFilled(lines, at + 1);
  const line = lines[next];
  if (line === undefined || line.indent < indent) return { value: null, next: at + 1 };
  if (isItem(line)) return readList(lines, next, { indent: line.indent, depth: depth + 1, shape });
  if (line.indent <= indent) return { value: null, next: at + 1 };
  if (keyPattern.test(line.content)) return readMapping(lines, next, { indent: line.indent, depth: depth + 1, shape });
  return readPlain(lines, next + 1, line.content, indent, shape);
}

/** Reads a plain scalar, which may continue in lines that are indented further. */
function readPlain(lines: Line[], from: number, first: string, indent: number, shape: Shape | undefined): Part {
  if (/^["'[{]/.test(first)) return { value: readScalar(first, shape), next: from };
  let end = from;
  while (lines[end] !== undefined && isContinued(lines, end, indent)) end += 1;
  if (end === from) return { value: readScalar(first, shape), next: from };
  const texts = lines.slice(from, end).map(({ content }) => content);
  while (texts.at(-1) === '') texts.pop();
  return { value: readScalar(fold([first, ...texts]), shape), next: end };
}

function isContinued(lines: Line[], at: number, indent: number): boolean {
  const line = lines[nextFilled(lines, at)];
  return line !== undefined && line.indent > indent && !keyPattern.test(line.content) && !isItem(line);
}

const maxQuotedLines = 1_000;

/** Reads quoted text that is closed some lines later. */
function readQuotedLines(lines: Line[], at: number, first: string): Part | undefined {
  const texts = [first];
  for (let end = at + 1; end < lines.length && texts.length < maxQuotedLines; end += 1) {
    texts.push(lines[end]?.content ?? '');
    if (lines[end]?.content.endsWith(first[0] ?? '') !== true) continue;
    const value = readQuoted(texts);
    if (value !== undefined) return { value, next: end + 1 };
  }
  return undefined;
}

/** `|` keeps line breaks, `>` folds them. `-` removes those at the end, `+` keeps all of them. */
function readBlock(lines: Line[], from: number, indent: number, isFolded: boolean, chomp: string): Part {
  let end = from;
  while (end < lines.length && (lines[end]?.content === '' || (lines[end]?.indent ?? 0) > indent)) end += 1;
  const block = lines.slice(from, end);
  const margin = Math.min(...block.filter((line) => line.content !== '').map((line) => line.indent));
  const texts = block.map((line) => line.raw.slice(Math.min(margin, line.raw.length)));
  let last = texts.length;
  while (last > 0 && texts[last - 1] === '') last -= 1;
  const kept = texts.slice(0, last);
  const body = isFolded ? fold(kept) : kept.join('\n');
  const tail =
    chomp.includes('-') || last === 0 ? '' : chomp.includes('+') ? '\n'.repeat(texts.length - last + 1) : '\n';
  return { value: body + tail, next: end };
}

/** Reads a scalar on one line with its declared shape. A declared string keeps its spelling. */
function readScalar(written: string, shape: Shape | undefined): JsonValue {
  if (/^[[{"']/.test(written)) {
    const result = repairJson(written);
    if (result.ok && result.complete) return result.value;
  }
  const comment = written.indexOf(' #');
  const text = (comment === -1 ? written : written.slice(0, comment)).trimEnd();
  return /^(?:~|null|Null|NULL)$/.test(text) ? null : readTextValue(text, shape, 'json');
}

/** Decodes quoted text over several lines: a line break is a space, and blank lines are line breaks. */
function readQuoted(lines: readonly string[]): string | undefined {
  const text = fold(lines.map((line) => line.trim())).trim();
  const quote = text[0];
  if (text.length < 2 || !text.endsWith(quote ?? '')) return undefined;
  if (quote === "'") return text.slice(1, -1).replaceAll("''", "'");
  const value = parseJson(text.replaceAll('\n', '\\n'));
  return typeof value === 'string' ? value : undefined;
}

/** Returns whether the quote at the beginning of a text is closed in it. */
function isClosedQuote(text: string): boolean {
  return /^(?:"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*')\s*(?:#.*)?$/.test(text);
}

/** Joins lines as YAML folds them: blank lines and lines that are indented further keep their line breaks. */
function fold(lines: readonly string[]): string {
  let text = lines[0] ?? '';
  let blank = 0;
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line === '') {
      blank += 1;
      continue;
    }
    const isKept = line.startsWith(' ') || (lines[index - 1 - blank] ?? '').startsWith(' ');
    text += blank === 0 && !isKept ? ' ' : '\n'.repeat(blank + (isKept ? 1 : 0));
    text += line;
    blank = 0;
  }
  return text;
}
