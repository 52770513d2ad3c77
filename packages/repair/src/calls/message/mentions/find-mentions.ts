import { isJsonObject, type JsonValue } from '../../../json/result/json-value.ts';
import { matchEnd } from '../../../json/text/characters.ts';
import { shapeOf } from '../../contract/argument-shape.ts';
import type { CallableTool, TextSpan } from '../../contract/envelope.ts';
import { readPlainCode } from '../../notations/code/read-plain-code.ts';
import { isKeyOf } from '../../notations/json/json-call-keys.ts';
import { callsOf } from '../../notations/json/json-call-shapes.ts';
import { foldName, namesWithSpaces, resolveName } from '../../contract/resolve-tool-name.ts';
import { parseJson } from '../../../json/document/read-valid-document.ts';
import { type ArgumentForm, argumentForms, labels } from './argument-forms.ts';

/** The name of a tool with arguments, in text that is not a call. Offsets are those of the text. */
export interface Mention extends TextSpan {
  readonly name: string;
  readonly isReadable: boolean;
  /** The offset of the argument that shows it. The name of another tool before that argument is more likely meant. */
  readonly keyAt?: number;
}

interface Name extends TextSpan {
  readonly text: string;
  /** The offset of the label, key or namespace before the name, or of the name. */
  readonly from: number;
}

const looseForms = argumentForms.filter(({ isExact }) => isExact !== true);

/** Number of characters around a name that decide whether it is a mention. */
export const mentionReach = 512;
const halfReach = mentionReach / 2;
const keyReach = 200;
const maxLine = 400;
const maxCachedNames = 1_000;

const quote = '(?:\\\\?["\'“‘”’`*]|&quot;|&#3[49];)';

const wordPattern = /(?:(?<=<)\w{1,64} (?=\w{1,64}>))?[\p{L}_$][\p{L}\p{N}_$]*(?:[.\-/:\\]{1,2}[\p{L}\p{N}_$]+){0,9}/u
  .source;

/** More of these names would make each word slow. */
const maxSpacedNames = 200;

/** Returns the pattern of a name, one of those with spaces or any other, and the label or key before it. */
function createNamePattern(spaced: readonly string[]): RegExp {
  const escaped = spaced.slice(0, maxSpacedNames).map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const whole = escaped.length === 0 ? '' : `(?:${escaped.join('|')})(?![\\p{L}\\p{N}_])|`;
  return new RegExp(
    `(?<![\\p{L}\\p{N}_$])(?:(?:${labels})\\s?${quote}{0,3}\\s{0,4}[:=]${quote}{0,3}[ \\t]{0,4}${quote}{0,3})?(?<![\\p{L}\\p{N}$.])(${whole}${wordPattern})`,
    'gu',
  );
}

const plainNamePattern = createNamePattern([]);

/** Creates a function that finds the mentions with names in a range, outside of other mentions. */
export function createMentionFinder(
  tools: readonly CallableTool[],
): (text: string, from: number, to: number) => readonly Mention[] {
  let folded: ReadonlySet<string> | undefined;
  const known = new Map<string, CallableTool | undefined>();
  const toolOf = (name: string): CallableTool | undefined => {
    if (known.has(name)) return known.get(name);
    folded ??= new Set(tools.flatMap((tool) => [foldName(tool.name), foldName(tool.name.split('.').at(-1) ?? '')]));
    const isKnown = [name, ...name.split(/[.:/$]/)].some((part) => folded?.has(foldName(part)) === true);
    // `call:weather_at` and `$weather_at` too.
    const found = isKnown
      ? (resolveName(tools, name) ?? resolveName(tools, name.split(/[:/$]/).at(-1) ?? ''))
      : undefined;
    if (known.size < maxCachedNames) known.set(name, found);
    return found;
  };
  const spaced = namesWithSpaces(tools);
  const namePattern = spaced.length === 0 ? plainNamePattern : createNamePattern(spaced);
  const read = (text: string, from: number, label: string, written: string): Mention | undefined => {
    const whole = toolOf(written);
    const part = written.slice(Math.max(written.lastIndexOf(':'), written.lastIndexOf('/')) + 1);
    const inner = part === written || whole?.name === written ? undefined : toolOf(part);
    const [name, tool] = inner?.name === part ? [part, inner] : [written, whole];
    const end = from + label.length + written.length;
    const start = end - name.length;
    const place = { text, from, start, end };
    if (tool === undefined) return label === '' ? undefined : unknownMention(place, name, tools);
    const isExact = tool.name === name;
    const isKey = label !== '' && /["'“‘`;]$/.test(text.slice(start - 1, start));
    return (
      firstMention(isExact ? argumentForms : looseForms, place, tool) ??
      (isKey ? keyedMention(place, tool.name) : undefined) ??
      (isExact ? argumentMention(place, tool) : undefined)
    );
  };
  return (text, from, to) => {
    const found: Mention[] = [];
    namePattern.lastIndex = from;
    for (let match = namePattern.exec(text); match !== null && match.index < to; match = namePattern.exec(text)) {
      const last = found.at(-1);
      const isNearer = last?.keyAt !== undefined && match.index < last.keyAt;
      if (!isNearer && last !== undefined && match.index < last.end) continue;
      const [whole, written = ''] = match;
      const mention = read(text, match.index, whole.slice(0, whole.length - written.length), written);
      if (mention === undefined) continue;
      if (isNearer) found.pop();
      found.push(mention);
    }
    return found;
  };
}

function firstMention(
  forms: readonly ArgumentForm[],
  { text, start, end }: Name,
  tool: CallableTool,
): Mention | undefined {
  for (const { before, after, end: kind } of forms) {
    if (!matchesAt(before, text, start) || !matchesAt(after, text, end)) continue;
    const argumentsAt = after.lastIndex;
    const open = argumentsAt - 1;
    const mention = { name: tool.name, start, isReadable: true };
    if (kind === 'match') return { ...mention, end: argumentsAt };
    if (kind === 'line') return { ...mention, end: lineEnd(text, argumentsAt) };
    if (kind === 'block') return { ...mention, end: blockEnd(text, start, Math.max(end + 4, argumentsAt)) };
    const close = afterCloser(text, open);
    const value =
      kind === 'code' ? readPlainCode(text.slice(0, close), argumentsAt, tool, {}) : parseJson(text.slice(open, close));
    return { ...mention, end: close, isReadable: value !== undefined };
  }
  return undefined;
}

function matchesAt(pattern: RegExp | undefined, text: string, at: number): boolean {
  if (pattern === undefined) return true;
  return matchEnd(pattern, text, at) !== -1;
}

const argumentsKeyPattern =
  /["'“‘;\s{,(](?:arguments|parameters|params|args|input|tool_input|action_input|kwargs)(?:\s?\\?["'”’]|&quot;|&#3[49];)?\s{0,4}[:=]|(?:argument|parameter|param|arg)\s(?:key|name)=/;

/** A key that names the tool, with a key for arguments near it: `"name": "weather_at", "arguments":`. */
function keyedMention({ text, from, end }: Name, name: string): Mention | undefined {
  if (!argumentsKeyPattern.test(text.slice(Math.max(0, from - halfReach), from + halfReach))) return undefined;
  const opener = text.lastIndexOf('{', from);
  if (opener === -1 || from - opener > halfReach) return { name, start: from, end, isReadable: true };
  const close = Math.max(end, afterCloser(text, opener));
  return { name, start: opener, end: close, isReadable: parseJson(text.slice(opener, close)) !== undefined };
}

const followingArguments =
  /["'`*]{0,3}[ \t]{0,9}(?:\r?\n){1,2}[ \t]{0,16}["'`*]{0,3}(?:(?:tool|function)[_ ])?(?:arguments|args|parameters|params|input)["'`*]{0,3}\s?[:=]/iy;

/** A call of a tool that is not declared: a whole object, or a label and arguments on the next line. */
function unknownMention(place: Name, name: string, tools: readonly CallableTool[]): Mention | undefined {
  const { text, from, end } = place;
  const isLineStart = /(?:^|\n)[\s\-*"'`]{0,20}$/.test(text.slice(Math.max(0, from - 24), from));
  if (isLineStart && matchEnd(followingArguments, text, end) !== -1)
    return { name, start: from, end: blockEnd(text, from, end + 4), isReadable: true };
  const mention = keyedMention(place, name);
  const value = mention?.isReadable === true ? parseJson(text.slice(mention.start, mention.end)) : undefined;
  return isWholeCall(value, name, tools) ? mention : undefined;
}

// Other data rarely has these keys.
const callKeys = /^(?:arguments|args|tool_input|action_input|kwargs)$/;

/** Returns whether a value is a call and nothing else, of a tool that is not declared. */
function isWholeCall(value: JsonValue | undefined, name: string, tools: readonly CallableTool[]): boolean {
  if (!isJsonObject(value)) return false;
  const [call] = callsOf(value, tools);
  if (call === undefined || call.name !== name || call.isDefinition === true) return false;
  if (!callKeys.test(call.argumentsKey ?? '')) return false;
  const isOwn = (key: string): boolean => key === call.nameKey || isKeyOf('arguments', key) || isKeyOf('meta', key);
  return isJsonObject(call.arguments) && call.holder === value && Object.keys(value).every(isOwn);
}

const signPattern = /[:=：＝]/;
const keyPattern = /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$-]{0,63})["'”’`*]{0,3} ?[:=：＝](?=\s{0,3}[^\s:=])/gu;
// A sentence that ends, or a fourth line.
const gapPattern = /[.!?]\s|(?:\n[^\n]*){4}/;

/** A declared argument after the exact name of its tool: `weather_at, city=Bled`, `weather_at⏎- city: Bled`. */
function argumentMention({ text, start, end }: Name, tool: CallableTool): Mention | undefined {
  const near = text.slice(end, end + keyReach);
  if (!signPattern.test(near)) return undefined;
  const shape = shapeOf(tool);
  const sign = [...near.matchAll(keyPattern)].find(({ 1: key = '' }) => shape?.hasMember(key) === true);
  if (sign === undefined || gapPattern.test(near.slice(0, sign.index))) return undefined;
  const keyAt = end + sign.index;
  return { name: tool.name, start, end: lineEnd(text, keyAt + sign[0].length), isReadable: true, keyAt };
}

function lineEnd(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  const end = found === -1 ? text.length : found;
  return Math.min(text[end - 1] === '\r' ? end - 1 : end, from + maxLine);
}

/** Returns the end of the lines up to an empty line or a fence that follows an offset. */
function blockEnd(text: string, start: number, from: number): number {
  const end = text.slice(from, start + maxLine).search(/\n\s{0,9}(?:\n|```)/);
  return end === -1 ? text.slice(0, start + maxLine).trimEnd().length : from + end;
}

const closerByOpener: Readonly<Record<string, string>> = { '(': ')', '（': '）', '{': '}' };

/** Returns the offset after the closer of a bracket if it is in reach, otherwise the end of the line. */
function afterCloser(text: string, open: number): number {
  const opener = text[open] ?? '';
  const closer = closerByOpener[opener];
  let depth = 0;
  const limit = Math.min(text.length, open + mentionReach);
  for (let at = open; at < limit; at += 1) {
    if (text[at] === opener) depth += 1;
    else if (text[at] === closer) depth -= 1;
    if (depth === 0) return at + 1;
  }
  const line = text.indexOf('\n', open);
  return line === -1 || line > limit ? limit : line;
}
