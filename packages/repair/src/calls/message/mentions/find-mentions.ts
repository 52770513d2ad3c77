import { isJsonObject, type JsonValue } from '../../../json/result/json-value.ts';
import { readPlainCode } from '../../notations/code/read-plain-code.ts';
import { callsOf } from '../../notations/json/json-call-shapes.ts';
import { isArgumentsKey, isMetaKey, nameRank } from '../../notations/json/json-call-keys.ts';
import type { CallableTool, TextSpan } from '../../contract/envelope.ts';
import { parseJson } from '../../source/parse-json.ts';
import { createToolFinder, type ToolFinder } from './find-mentioned-tool.ts';
import { createKeyFinder } from './argument-mentions.ts';
import { lineMention } from './line-mentions.ts';

/** The name of a tool with arguments, in text that is not a call. Offsets are those of the text. */
export interface Mention extends TextSpan {
  readonly name: string;
  /** Whether its arguments can be read. */
  readonly isReadable: boolean;
}

/** Number of characters around an offset that decide whether it is a mention. */
export const mentionReach = 512;
const namePattern = String.raw`[\p{L}_$][\p{L}\p{N}_$.\-/\\:]{0,127}`;

// The text after a name with arguments, the key before a name, or the beginning of a line.
const mentionStart =
  /\[ARGS\](?!\s{0,9}\{)|<[^<>\n{}]{0,32}(?:argument_begin\||tool[▁_ ]sep[|｜]?|arg_key)>(?!\s{0,9}[{`])|[({<\n（]|(?:name|tool_name|function_name|tool|function|func|func_name|action|toolName|functionName|api|api_name|method|command)(?:\s?\\?["'”’]|&quot;|&#3[49];)?\s{0,4}[:=]\s{0,4}(?:\\?["'“‘]|&quot;|&#3[49];)|"[\w.-]{1,64}":\s?["[]|[:=：＝]/g;

// Matched backwards from the bracket.
const beforeParenthesis = new RegExp(`(?<=(${namePattern})["'\`>]?)`, 'uy');

const beforeBrace = new RegExp(
  `(?<=(${namePattern})(?:\\n[\\p{L}_ *]{1,24}[:\uff1a]\\s?|["'\`>:=\\]\\s]|arguments|args|parameters|params|input|with|code|json|\`\`\`\\w{0,12}|<[^<>\\n]{1,40}>|\\[ARGS\\]){0,12})`,
  'iuy',
);

const tagPattern = new RegExp(
  `<(?:function\\s{0,4}[=/]\\s{0,4}|tool_call>\\s{0,9}|[^\\s<>"'=]{1,40} (?:name|tool|function)=|(?:tool|function|action|(?:tool_|function_)?name)>\\s{0,9}(?=[^\\s<]{1,128}\\s{0,9}</))?["']?(${namePattern})["']?(?:\\s{0,9}<arg_key|\\s{0,9}/?>\\s{0,9}(?:<[A-Za-z]|[\\w-]{1,64}:\\s|\\{|[^<]{1,400}</(?:parameter|param|arg_value|function|invoke|tool_call)>)|\\s{1,9}[\\w-]{1,64}=|\\s{0,9}</(?:tool|function|action|(?:tool_|function_)?name)>)`,
  'uy',
);

// `weather_at[CALL_ID]a1[ARGS]` `functions.weather_at:0<|tool_call_argument_begin|>`
const beforeToken = new RegExp(`(?<=(${namePattern})(?:\\[CALL_ID\\]\\w{1,64})?\\s{0,9})`, 'uy');

// `(weather_at "Bled")`
const inParentheses = new RegExp(`\\((${namePattern})\\s{1,9}["':]`, 'uy');

const wordCharacter = /[\p{L}\p{N}_$"'`>]/u;
const valuePattern = new RegExp(`(${namePattern})(?:\\\\?["'”’]|&quot;|&#3[49];)`, 'uy');

const argumentsKeyPattern =
  /["'“‘;\s{,(](?:arguments|parameters|params|args|input|tool_input|action_input|kwargs)(?:\s?\\?["'”’]|&quot;|&#3[49];)?\s{0,4}[:=]|(?:argument|parameter|param|arg)\s(?:key|name)=/;

const closerByOpener: Readonly<Record<string, string>> = { '(': ')', '（': '）', '{': '}', '<': '>' };

/**
 * Creates a function that finds mentions of tools whose signs are in a range. A name within another mention, or before an
 * offset, is skipped.
 */
export function createMentionFinder(
  tools: readonly CallableTool[],
): (text: string, from: number, to: number, least: number) => readonly Mention[] {
  const finder = createToolFinder(tools);
  const { named, exact } = finder;
  const findKey = createKeyFinder(tools, finder);
  const findAt = (text: string, at: number, sign: string): Mention | undefined => {
    if (sign === '\n') return lineMention(text, at + 1, { named, exact });
    // Most brackets in prose follow a space or begin a line.
    if (sign === '(' && !wordCharacter.test(text[at - 1] ?? ' ')) return mentionInParentheses(text, at, exact);
    if (sign === '{' && !isAfterName(text, at)) return undefined;
    if (sign === '(' || sign === '（') {
      const name = nameBefore(beforeParenthesis, text, at);
      const tool = named(name);
      if (name === undefined || tool === undefined || /^\s{0,9}\)/.test(text.slice(at + 1, at + 12))) return undefined;
      const end = closerBehind(text, at);
      const isReadable = readPlainCode(text.slice(0, end), at + 1, tool, {}) !== undefined;
      return { name: tool.name, start: text.lastIndexOf(name, at), end, isReadable };
    }
    if (sign === '{') {
      const name = nameBefore(beforeBrace, text, at)?.replace(/:$/, '');
      const tool = named(name);
      if (name === undefined || tool === undefined || !/^\s{0,99}["'\w\\]/.test(text.slice(at + 1, at + 101)))
        return undefined;
      const end = closerBehind(text, at);
      return {
        name: tool.name,
        start: text.lastIndexOf(name, at),
        end,
        isReadable: parseJson(text.slice(at, end)) !== undefined,
      };
    }
    if (sign.endsWith(']') || (sign.length > 1 && sign.startsWith('<'))) {
      const name = nameBefore(beforeToken, text, at);
      const tool = named(name);
      if (
        name === undefined ||
        tool === undefined ||
        !/^\s{0,99}["'\w\\[<]/.test(text.slice(at + sign.length, at + sign.length + 101))
      )
        return undefined;
      return {
        name: tool.name,
        start: text.lastIndexOf(name, at),
        end: closerBehind(text, at + sign.length),
        isReadable: false,
      };
    }
    if (sign === '<') {
      tagPattern.lastIndex = at;
      const match = tagPattern.exec(text);
      const tool = named(match?.[1]);
      return match === null || tool === undefined
        ? undefined
        : { name: tool.name, start: at, end: at + match[0].length, isReadable: true };
    }
    const key = sign.startsWith('"') ? sign.slice(1, sign.lastIndexOf('":')) : 'name';
    if (exact(key)) return { name: key, start: at, end: closerBehind(text, at), isReadable: true };
    valuePattern.lastIndex = at + sign.length;
    const written = valuePattern.exec(text)?.[1];
    if (written === undefined || !(exact(written) || nameRank(key) !== -1)) return undefined;
    const tool = named(written);
    const around = text.slice(Math.max(0, at - mentionReach / 2), at + mentionReach / 2);
    const hasArgumentsKey = argumentsKeyPattern.test(around);
    if (!hasArgumentsKey && !exact(written)) return undefined;
    const opener = text.lastIndexOf('{', at);
    const start = opener === -1 || at - opener > mentionReach / 2 ? at : opener;
    const nameEnd = at + sign.length + written.length;
    const end = start === at ? nameEnd : Math.max(nameEnd, closerBehind(text, start));
    const value = parseJson(text.slice(start, end));
    if (tool === undefined ? !isWholeCall(value, written, tools) : !hasArgumentsKey) return undefined;
    return { name: tool?.name ?? written, start, end, isReadable: value !== undefined };
  };
  return (text, from, to, least) => {
    const found: Mention[] = [];
    const first = from === 0 ? lineMention(text, 0, { named, exact }) : undefined;
    if (first !== undefined) found.push(first);
    mentionStart.lastIndex = from;
    for (let match = mentionStart.exec(text); match !== null && match.index < to; match = mentionStart.exec(text)) {
      const [sign] = match;
      const end = found.at(-1)?.end ?? least;
      if (match.index < end) continue;
      const mention = findAt(text, match.index, sign) ?? findKey(text, match.index + sign.search(/[:=：＝]/), end);
      if (mention !== undefined) found.push(mention);
    }
    return found;
  };
}

function mentionInParentheses(text: string, at: number, exact: ToolFinder['exact']): Mention | undefined {
  inParentheses.lastIndex = at;
  const name = inParentheses.exec(text)?.[1];
  return exact(name) && name !== undefined
    ? { name, start: at, end: closerBehind(text, at), isReadable: true }
    : undefined;
}

// Data has the other keys too.
const certainKeys: ReadonlySet<string | undefined> = new Set([
  'arguments',
  'args',
  'tool_input',
  'action_input',
  'kwargs',
]);

/** Returns whether a value is a call and nothing else, of a tool that is not declared. */
function isWholeCall(value: JsonValue | undefined, name: string, tools: readonly CallableTool[]): boolean {
  if (!isJsonObject(value)) return false;
  const [call, ...others] = callsOf(value, tools);
  if (call === undefined || others.length > 0 || call.name !== name || call.isDefinition === true) return false;
  if (!certainKeys.has(call.argumentsKey)) return false;
  const isOwn = (key: string): boolean => key === call.nameKey || isArgumentsKey(key) || isMetaKey(key);
  return isJsonObject(call.arguments) && call.holder === value && Object.keys(value).every(isOwn);
}

function nameBefore(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[1];
}

/** Returns whether a name may end at an offset. */
function isAfterName(text: string, at: number): boolean {
  return /[\p{L}\p{N}_$\])"'`>]\s{0,20}[:\uff1a]?\s{0,20}$/u.test(text.slice(Math.max(0, at - 24), at));
}

/** Returns the offset after the closer of a bracket if it is in reach, otherwise the end of the line. */
function closerBehind(text: string, open: number): number {
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
