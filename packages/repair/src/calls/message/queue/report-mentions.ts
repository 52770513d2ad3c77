import { parseJson } from '../../source/parse-json.ts';
import { readPlainCode } from '../../arguments/code/read-plain-code.ts';
import type { CallableTool, TextSpan } from '../../contract/envelope.ts';
import { foldName, resolveName } from '../../contract/resolve-name.ts';
import { rejectedCall } from '../../settle/rejected-call.ts';
import type { MessageSink } from './message-sink.ts';

/** Number of characters that are searched at a time: each search joins the text that has arrived. */
const leastNew = 512;

/** A sink that also reports mentions of declared tools in the text of a message. */
interface MentionReporter {
  readonly sink: MessageSink;
  /** Ends the message. */
  readonly finish: () => void;
}

/** Creates a sink that passes everything on, and also reports mentions of declared tools with arguments. */
export function reportMentions(tools: readonly CallableTool[], sink: MessageSink): MentionReporter {
  const find = createMentionFinder(tools);
  /** The text since the last call, and its offset in the message. */
  let text = '';
  let base = 0;
  /** Number of characters of it that have been searched. */
  let seen = 0;
  /** The end of the last reported mention, from the beginning of the message. */
  let reported = 0;
  let isHead = true;

  const look = (to: number, isEnd: boolean): void => {
    if (to <= seen) return;
    for (const mention of find(text, Math.max(seen, reported - base), to)) {
      const isFirst = isHead && /^[\s[({"'`*]*$/.test(text.slice(0, mention.start));
      const isLast = isEnd && /^[\s\])}"'`*.;]*$/.test(text.slice(mention.end));
      const reason = !mention.isReadable && (isFirst || isLast) ? 'invalid_json' : 'mentioned';
      const span = { start: base + mention.start, end: base + mention.end };
      sink.rejected(rejectedCall(tools, reason, span, mention.name), '', undefined);
      reported = span.end;
    }
    seen = to;
  };
  const end = (isEnd: boolean): void => {
    look(text.length, isEnd);
    base += text.length;
    if (text.trim() !== '') isHead = false;
    text = '';
    seen = 0;
  };
  return {
    sink: {
      ...(sink.begin === undefined ? {} : { begin: sink.begin }),
      text: (more, isQuoted) => {
        sink.text(more, isQuoted);
        if (isQuoted) {
          end(false);
          base += more.length;
          return;
        }
        text += more;
        if (text.length - mentionReach < seen + leastNew) return;
        look(text.length - mentionReach, false);
        const before = seen - 4 * mentionReach;
        if (before < 4 * mentionReach) return;
        if (text.slice(0, before).trim() !== '') isHead = false;
        text = text.slice(before);
        base += before;
        seen -= before;
      },
      call: (call, live) => {
        end(false);
        sink.call(call, live);
        base = Math.max(base, call.end);
        isHead = false;
      },
      rejected: (rejected, more, live) => {
        end(false);
        sink.rejected(rejected, more, live);
        base += more.length;
        isHead = false;
      },
    },
    finish: () => end(true),
  };
}

/** The name of a declared tool with arguments, in text that is not a call. Offsets are those of the text. */
interface Mention extends TextSpan {
  readonly name: string;
  /** Whether its arguments can be read. */
  readonly isReadable: boolean;
}

/** Number of characters around an offset that decide whether it is a mention. */
const mentionReach = 512;
const namePattern = String.raw`[\p{L}_$][\p{L}\p{N}_$.\-/\\:]{0,127}`;

// The text after a name with arguments, or the key before a name.
const mentionStart =
  /[({<]|["'](?:name|tool_name|function_name|tool|function|func|action|toolName)\\?["']\s{0,4}:\s{0,4}\\?["']/g;

// Matched backwards from the bracket.
const beforeParenthesis = new RegExp(`(?<=(${namePattern})["'\`]?)`, 'uy');

const beforeBrace = new RegExp(
  `(?<=(${namePattern})(?:["'\`>:=\\s]|arguments|args|parameters|params|input|\`\`\`\\w{0,12}|<[^<>\\n]{1,40}>|\\[ARGS\\]){0,12})`,
  'iuy',
);

const tagPattern = new RegExp(
  `<(?:function=|tool_call>\\s{0,9}|(?:function|invoke|tool) name=)?["']?(${namePattern})["']?(?:\\s{0,9}/?>\\s{0,9}(?:<[A-Za-z]|[\\w-]{1,64}:\\s|\\{)|\\s{1,9}[\\w-]{1,64}=)`,
  'uy',
);

const wordCharacter = /[\p{L}\p{N}_$"'`]/u;
const valuePattern = new RegExp(`(${namePattern})\\\\?["']`, 'uy');

const argumentsKeyPattern =
  /["'](?:arguments|parameters|params|args|input|tool_input|action_input|kwargs)\\?["']\s{0,4}:/;

const maxCachedNames = 1_000;
const closerByOpener: Readonly<Record<string, string>> = { '(': ')', '{': '}', '<': '>' };

/** Creates a function that finds mentions of declared tools. A name within another mention is skipped. */
function createMentionFinder(
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
    if (known.size < maxCachedNames) known.set(name, tool);
    return tool;
  };
  const findAt = (text: string, at: number, sign: string): Mention | undefined => {
    // Most brackets in prose follow a space or begin a line.
    if (sign === '(' && !wordCharacter.test(text[at - 1] ?? ' ')) return undefined;
    if (sign === '{' && !isAfterName(text, at)) return undefined;
    if (sign === '(') {
      const name = nameBefore(beforeParenthesis, text, at);
      const tool = toolOf(name);
      if (name === undefined || tool === undefined || /^\s{0,9}\)/.test(text.slice(at + 1, at + 12))) return undefined;
      const end = closerBehind(text, at);
      const isReadable = readPlainCode(text.slice(0, end), at + 1, tool, {}) !== undefined;
      return { name: tool.name, start: text.lastIndexOf(name, at), end, isReadable };
    }
    if (sign === '{') {
      const name = nameBefore(beforeBrace, text, at)?.replace(/:$/, '');
      const tool = toolOf(name);
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
    if (sign === '<') {
      tagPattern.lastIndex = at;
      const match = tagPattern.exec(text);
      const tool = toolOf(match?.[1]);
      return match === null || tool === undefined
        ? undefined
        : { name: tool.name, start: at, end: at + match[0].length, isReadable: true };
    }
    valuePattern.lastIndex = at + sign.length;
    const tool = toolOf(valuePattern.exec(text)?.[1]);
    const around = text.slice(Math.max(0, at - mentionReach / 2), at + mentionReach / 2);
    if (tool === undefined || !argumentsKeyPattern.test(around)) return undefined;
    const opener = text.lastIndexOf('{', at);
    const start = opener === -1 || at - opener > mentionReach / 2 ? at : opener;
    const end = start === at ? at + sign.length : closerBehind(text, start);
    return { name: tool.name, start, end, isReadable: parseJson(text.slice(start, end)) !== undefined };
  };
  return (text, from, to) => {
    const found: Mention[] = [];
    mentionStart.lastIndex = from;
    for (let match = mentionStart.exec(text); match !== null && match.index < to; match = mentionStart.exec(text)) {
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

/** Returns whether a name may stand right before an offset. */
function isAfterName(text: string, at: number): boolean {
  return /[\p{L}\p{N}_$\])"'`>]\s{0,20}:?\s{0,20}$/u.test(text.slice(Math.max(0, at - 24), at));
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
