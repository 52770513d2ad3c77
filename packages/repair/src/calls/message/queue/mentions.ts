import type { CallableTool } from '../../contract/callable-tool.ts';
import { foldName, resolveName } from '../../contract/resolve-name.ts';
import { readPlainCode } from '../../arguments/code/read-plain-code.ts';
import type { TextSpan } from '../../source/text-span.ts';

/** The name of a declared tool with arguments, in text that makes no call of it. Offsets are those of the text. */
export interface Mention extends TextSpan {
  readonly name: string;
  /** Whether its arguments can be read. */
  readonly isReadable: boolean;
}

/** How much of a text around a place decides whether a mention stands there. */
export const mentionReach = 512;

const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$.\-/\\:]{0,127}`;
// What follows a name that has arguments, and the key that says that a name comes.
const SIGN =
  /[({<]|["'](?:name|tool_name|function_name|tool|function|func|action|toolName)\\?["']\s{0,4}:\s{0,4}\\?["']/g;
// Looked for backwards from the bracket.
const BEFORE_PARENTHESIS = new RegExp(`(?<=(${NAME})["'\`]?)`, 'uy');
const BEFORE_BRACE = new RegExp(
  `(?<=(${NAME})(?:["'\`>:=\\s]|arguments|args|parameters|params|input|\`\`\`\\w{0,12}|<[^<>\\n]{1,40}>|\\[ARGS\\]){0,12})`,
  'iuy',
);
const TAG = new RegExp(
  `<(?:function=|tool_call>\\s{0,9}|(?:function|invoke|tool) name=)?["']?(${NAME})["']?(?:\\s{0,9}/?>\\s{0,9}(?:<[A-Za-z]|[\\w-]{1,64}:\\s|\\{)|\\s{1,9}[\\w-]{1,64}=)`,
  'uy',
);
const IN_WORD = /[\p{L}\p{N}_$"'`]/u;
const VALUE = new RegExp(`(${NAME})\\\\?["']`, 'uy');
const ARGUMENTS = /["'](?:arguments|parameters|params|args|input|tool_input|action_input|kwargs)\\?["']\s{0,4}:/;
const MOST_KNOWN = 1_000;
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '{': '}', '<': '>' };

/** Finds mentions of declared tools. Of a name that stands within another mention nothing is said. */
export function createMentionFinder(
  tools: readonly CallableTool[],
): (text: string, from: number, to: number) => readonly Mention[] {
  let folded: ReadonlySet<string> | undefined;
  const known = new Map<string, CallableTool | undefined>();
  const toolOf = (name: string | undefined): CallableTool | undefined => {
    if (name === undefined) return undefined;
    if (known.has(name)) return known.get(name);
    const names = (folded ??= new Set(
      tools.flatMap((tool) => [foldName(tool.name), foldName(tool.name.split('.').at(-1) ?? '')]),
    ));
    const isKnown = [name, ...name.split(/[.:/]/)].some((part) => names.has(foldName(part)));
    const tool = isKnown ? resolveName(tools, name)?.tool : undefined;
    if (known.size < MOST_KNOWN) known.set(name, tool);
    return tool;
  };
  const findAt = (text: string, at: number, sign: string): Mention | undefined => {
    // Most of what opens a bracket in prose follows a space, or opens a line.
    if (sign === '(' && !IN_WORD.test(text[at - 1] ?? ' ')) return undefined;
    if (sign === '{' && !isAfterName(text, at)) return undefined;
    if (sign === '(') {
      const name = nameBefore(BEFORE_PARENTHESIS, text, at);
      const tool = toolOf(name);
      if (name === undefined || tool === undefined || /^\s{0,9}\)/.test(text.slice(at + 1, at + 12))) return undefined;
      const end = closerBehind(text, at);
      const isReadable = readPlainCode(text.slice(0, end), at + 1, tool, {}) !== undefined;
      return { name: tool.name, start: text.lastIndexOf(name, at), end, isReadable };
    }
    if (sign === '{') {
      const name = nameBefore(BEFORE_BRACE, text, at)?.replace(/:$/, '');
      const tool = toolOf(name);
      if (name === undefined || tool === undefined || !/^\s{0,99}["'\w\\]/.test(text.slice(at + 1, at + 101)))
        return undefined;
      const end = closerBehind(text, at);
      return {
        name: tool.name,
        start: text.lastIndexOf(name, at),
        end,
        isReadable: isJson(text.slice(at, end)),
      };
    }
    if (sign === '<') {
      TAG.lastIndex = at;
      const match = TAG.exec(text);
      const tool = toolOf(match?.[1]);
      return match === null || tool === undefined
        ? undefined
        : { name: tool.name, start: at, end: at + match[0].length, isReadable: true };
    }
    VALUE.lastIndex = at + sign.length;
    const tool = toolOf(VALUE.exec(text)?.[1]);
    const around = text.slice(Math.max(0, at - mentionReach / 2), at + mentionReach / 2);
    if (tool === undefined || !ARGUMENTS.test(around)) return undefined;
    const opener = text.lastIndexOf('{', at);
    const start = opener === -1 || at - opener > mentionReach / 2 ? at : opener;
    const end = start === at ? at + sign.length : closerBehind(text, start);
    return { name: tool.name, start, end, isReadable: isJson(text.slice(start, end)) };
  };
  return (text, from, to) => {
    const found: Mention[] = [];
    SIGN.lastIndex = from;
    for (let match = SIGN.exec(text); match !== null && match.index < to; match = SIGN.exec(text)) {
      const [sign] = match;
      const mention = match.index < (found.at(-1)?.end ?? 0) ? undefined : findAt(text, match.index, sign);
      if (mention !== undefined) found.push(mention);
    }
    return found;
  };
}

function nameBefore(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[1];
}

/** Whether the last word before an offset is the name of a tool, as far as a short look tells. */
function isAfterName(text: string, at: number): boolean {
  return /[\p{L}\p{N}_$\])"'`>]\s{0,20}:?\s{0,20}$/u.test(text.slice(Math.max(0, at - 24), at));
}

/** Behind the closer of a bracket, as far as one is in reach; otherwise behind the line. */
function closerBehind(text: string, open: number): number {
  const opener = text[open] ?? '';
  const closer = CLOSERS[opener];
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
