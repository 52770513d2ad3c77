import type { JsonObject, JsonValue } from '../../json/result/json-value.ts';
import { isJsonObject } from '../../json/result/json-value.ts';
import { repairJson } from '../../json/document/repair-json.ts';

interface Line {
  readonly indent: number;
  readonly content: string;
  /** The line as it stands, for block scalars. */
  readonly raw: string;
}

interface Part {
  readonly value: JsonValue;
  /** The line after it. */
  readonly next: number;
}

const DEEPEST = 32;
const KEY = /^(?:"([^"]{1,128})"|'([^']{1,128})'|([^\s:#'"[\]{},-][^:#]{0,127}?)):(?:\s+|$)/;

/**
 * Reads a mapping in the part of YAML that models write: keys with plain, quoted, flow and block values, nested mappings
 * and lists. `undefined` for anything else.
 */
export function readYamlMapping(text: string): JsonObject | undefined {
  const lines = text.split(/\r?\n/).map((raw): Line => {
    const content = raw.trim();
    return { indent: raw.length - raw.trimStart().length, content, raw };
  });
  const first = nextFilled(lines, 0);
  const line = lines[first];
  if (line === undefined || !KEY.test(line.content)) return undefined;
  const part = readMapping(lines, first, line.indent, 0);
  if (part === undefined || nextFilled(lines, part.next) < lines.length) return undefined;
  return isJsonObject(part.value) ? part.value : undefined;
}

function nextFilled(lines: Line[], from: number): number {
  let at = from;
  while (at < lines.length && (lines[at]?.content === '' || lines[at]?.content.startsWith('#') === true)) at += 1;
  return at;
}

function readMapping(lines: Line[], from: number, indent: number, depth: number): Part | undefined {
  if (depth > DEEPEST) return undefined;
  const members: [string, JsonValue][] = [];
  let at = from;
  for (;;) {
    at = nextFilled(lines, at);
    const line = lines[at];
    if (line === undefined || line.indent < indent || isItem(line)) break;
    const match = KEY.exec(line.content);
    if (match === null || line.indent > indent) return undefined;
    const key = match[1] ?? match[2] ?? match[3] ?? '';
    const part = readValue(lines, at, line.content.slice(match[0].length), indent, depth);
    if (part === undefined) return undefined;
    members.push([key, part.value]);
    at = part.next;
  }
  return { value: Object.fromEntries(members), next: at };
}

function readList(lines: Line[], from: number, indent: number, depth: number): Part | undefined {
  if (depth > DEEPEST) return undefined;
  const items: JsonValue[] = [];
  let at = from;
  for (;;) {
    at = nextFilled(lines, at);
    const line = lines[at];
    if (line === undefined || line.indent !== indent || !isItem(line)) break;
    const rest = line.content.slice(1).trimStart();
    const inner = indent + line.content.length - rest.length;
    // The first key of a mapping in a list stands on the line of its dash, and so does the first item of a list.
    const held = { indent: inner, content: rest, raw: line.raw };
    const readHeld = KEY.test(rest) ? readMapping : isItem(held) ? readList : undefined;
    if (readHeld !== undefined) lines[at] = held;
    const part =
      readHeld === undefined ? readValue(lines, at, rest, indent, depth) : readHeld(lines, at, inner, depth + 1);
    if (part === undefined) return undefined;
    items.push(part.value);
    at = part.next;
  }
  return { value: items, next: at };
}

function isItem(line: Line): boolean {
  return line.content === '-' || line.content.startsWith('- ');
}

function readValue(lines: Line[], at: number, rest: string, indent: number, depth: number): Part | undefined {
  const block = /^([|>])([+-]?)\d?([+-]?)$/.exec(rest);
  if (block !== null) return readBlock(lines, at + 1, indent, block[1] === '>', `${block[2]}${block[3]}`);
  if (rest !== '') return { value: readScalar(rest), next: at + 1 };
  const next = nextFilled(lines, at + 1);
  const line = lines[next];
  if (line === undefined || line.indent < indent) return { value: null, next: at + 1 };
  if (isItem(line)) return readList(lines, next, line.indent, depth + 1);
  return line.indent > indent ? readMapping(lines, next, line.indent, depth + 1) : { value: null, next: at + 1 };
}

/** `|` keeps line breaks, `>` folds them; `-` drops those at the end and `+` keeps them all. */
function readBlock(lines: Line[], from: number, indent: number, isFolded: boolean, chomp: string): Part {
  let end = from;
  while (end < lines.length && (lines[end]?.content === '' || (lines[end]?.indent ?? 0) > indent)) end += 1;
  const block = lines.slice(from, end);
  const margin = Math.min(...block.filter((line) => line.content !== '').map((line) => line.indent));
  const texts = block.map((line) => line.raw.slice(Math.min(margin, line.raw.length)));
  let last = texts.length;
  while (last > 0 && texts[last - 1] === '') last -= 1;
  const body = texts.slice(0, last).join(isFolded ? ' ' : '\n');
  const tail =
    chomp.includes('-') || last === 0 ? '' : chomp.includes('+') ? '\n'.repeat(texts.length - last + 1) : '\n';
  return { value: body + tail, next: end };
}

function readScalar(written: string): JsonValue {
  if (/^[[{"']/.test(written)) {
    const result = repairJson(written);
    if (result.ok && result.complete) return result.value;
  }
  const comment = written.indexOf(' #');
  const text = (comment === -1 ? written : written.slice(0, comment)).trimEnd();
  if (text === '~' || /^(?:null|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  return /^[-+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : text;
}
