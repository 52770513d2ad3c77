import type { Shape } from '../../../json/result/declared-shape.ts';
import type { JsonObject, JsonValue } from '../../../json/result/json-value.ts';
import { parseJson } from '../../../json/document/read-valid-document.ts';
import { readTextValue, readWhole } from '../text-values.ts';

interface Line {
  readonly indent: number;
  readonly content: string;
  readonly raw: string;
}

const maxDepth = 32;
const maxQuotedLines = 1_000;
const keyPattern = /^(?:"([^"]{1,128})"|'([^']{1,128})'|([^\s:#'"[\]{},-][^:#]{0,127}?)):(?:\s+|$)/;

/** Reads a mapping in the subset of YAML that models write. Returns undefined for anything else. */
export function readYamlMapping(text: string, shape?: Shape): JsonObject | undefined {
  const lines = text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((raw): Line => ({ indent: raw.length - raw.trimStart().length, content: raw.trim(), raw }));
  let at = 0;
  /** Returns the next line from an offset on that is neither blank nor a comment. */
  const filledFrom = (from: number): number => {
    let filled = from;
    while (filled < lines.length && /^(?:#|$)/.test(lines[filled]?.content ?? '')) filled += 1;
    return filled;
  };
  const next = (): Line | undefined => {
    at = filledFrom(at);
    return lines[at];
  };

  const readMapping = (indent: number, depth: number, own: Shape | undefined): JsonObject | undefined => {
    const members: [string, JsonValue][] = [];
    for (let line = next(); line !== undefined && line.indent >= indent; line = next()) {
      const match = keyPattern.exec(line.content);
      if (depth > maxDepth || match === null || line.indent > indent) return undefined;
      const key = match[1] ?? match[2] ?? match[3] ?? '';
      const value = readValue(line.content.slice(match[0].length), indent, depth, own?.member(key));
      if (value === undefined) return undefined;
      members.push([key, value]);
    }
    return Object.fromEntries(members);
  };
  const readList = (indent: number, depth: number, own: Shape | undefined): JsonValue | undefined => {
    const items: JsonValue[] = [];
    for (let line = next(); line !== undefined && line.indent === indent && isItem(line); line = next()) {
      if (depth > maxDepth) return undefined;
      const rest = line.content.slice(1).trimStart();
      // The first key of a mapping in a list is on the line of its dash, and so is the first item of a list.
      const held = { indent: indent + line.content.length - rest.length, content: rest, raw: line.raw };
      const readHeld = keyPattern.test(rest) ? readMapping : isItem(held) ? readList : undefined;
      if (readHeld !== undefined) lines[at] = held;
      const item = own?.item(items.length);
      const value =
        readHeld === undefined ? readValue(rest, indent, depth, item) : readHeld(held.indent, depth + 1, item);
      if (value === undefined) return undefined;
      items.push(value);
    }
    return items;
  };
  /** Reads the value after a key or a dash, from the rest of its line on. */
  const readValue = (rest: string, indent: number, depth: number, own: Shape | undefined): JsonValue | undefined => {
    at += 1;
    const block = /^([|>])([+-]?)\d?([+-]?)$/.exec(rest);
    if (block !== null) return readBlock(indent, block[1] === '>', `${block[2]}${block[3]}`);
    if (/^["']/.test(rest) && !isClosedQuote(rest)) return readQuotedLines(rest);
    if (rest !== '') return readPlain(rest, indent, own);
    const line = next();
    if (line === undefined || line.indent < indent) return null;
    if (isItem(line)) return readList(line.indent, depth + 1, own);
    if (line.indent === indent) return null;
    if (keyPattern.test(line.content)) return readMapping(line.indent, depth + 1, own);
    at += 1;
    return readPlain(line.content, indent, own);
  };
  /** Reads a plain scalar, which may continue in lines that are indented further. */
  const readPlain = (first: string, indent: number, own: Shape | undefined): JsonValue => {
    const texts = [first];
    for (; !/^["'[{]/.test(first); at += 1) {
      const line = lines[filledFrom(at)];
      if (line === undefined || line.indent <= indent || keyPattern.test(line.content) || isItem(line)) break;
      texts.push(lines[at]?.content ?? '');
    }
    while (texts.at(-1) === '') texts.pop();
    return readScalar(fold(texts), own);
  };
  /** Reads quoted text that is closed some lines later. */
  const readQuotedLines = (first: string): string | undefined => {
    const texts = [first];
    while (at < lines.length && texts.length < maxQuotedLines) {
      const content = lines[at]?.content ?? '';
      texts.push(content);
      at += 1;
      const value = content.endsWith(first.charAt(0)) ? readQuoted(texts) : undefined;
      if (value !== undefined) return value;
    }
    return undefined;
  };
  /** `|` keeps line breaks, `>` folds them. `-` removes those at the end, `+` keeps all of them. */
  const readBlock = (indent: number, isFolded: boolean, chomp: string): string => {
    const start = at;
    while (at < lines.length && (lines[at]?.content === '' || (lines[at]?.indent ?? 0) > indent)) at += 1;
    const block = lines.slice(start, at);
    const margin = Math.min(...block.filter((line) => line.content !== '').map((line) => line.indent));
    const texts = block.map((line) => line.raw.slice(margin));
    const kept = texts.slice();
    while (kept.at(-1) === '') kept.pop();
    const body = isFolded ? fold(kept) : kept.join('\n');
    if (chomp.includes('-') || kept.length === 0) return body;
    return body + (chomp.includes('+') ? '\n'.repeat(texts.length - kept.length + 1) : '\n');
  };

  const first = next();
  if (first === undefined || !keyPattern.test(first.content)) return undefined;
  const value = readMapping(first.indent, 0, shape);
  return next() === undefined ? value : undefined;
}

function isItem({ content }: Line): boolean {
  return content === '-' || content.startsWith('- ');
}

/** Reads a scalar on one line with its declared shape. A declared string keeps its spelling. */
function readScalar(written: string, shape: Shape | undefined): JsonValue {
  const quoted = /^["']/.test(written) ? readQuoted([written.replace(/(["'])\s+#.*$/, '$1')]) : undefined;
  if (quoted !== undefined) return quoted;
  const whole = /^[[{"']/.test(written) ? readWhole(written, shape) : undefined;
  if (whole !== undefined) return whole.value;
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
