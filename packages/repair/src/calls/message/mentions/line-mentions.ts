import type { TextSpan } from '../../contract/envelope.ts';
import type { ToolFinder } from './find-mentioned-tool.ts';

/** A mention that begins a line. */
interface LineMention extends TextSpan {
  readonly name: string;
  readonly isReadable: true;
}

const name = String.raw`([\p{L}_$][\p{L}\p{N}_$.\-]{0,127})`;
const mark = '["\'`*]{0,3}';

// A prompt, the mark of an item, or a verb, and then the first word of the line.
const commandPattern = new RegExp(
  String.raw`[ \t]{0,16}(?:[$>#%!] ?|\/|[-+*] |\d{1,2}[.)] )?(?:(?:call|run|use|invoke|execute) )?${mark}${name}${mark}(?=[ \t[:])`,
  'uy',
);

// A word that prose does not have: an option, an assignment, a quotation, a path, a number, or an arrow.
const argumentPattern =
  /(?:^|[\s,])(?:--?[A-Za-z]|["'\u201c]|\w{1,64}[=:][^\s=:]|[\w-]{0,64}[\w-][./\\@_][\w-]|[./~]\/|\d|[-=]>)/;

const labelPattern = new RegExp(
  String.raw`[ \t]{0,16}(?:[-*] )?${mark}(?:(?:tool|function)(?:[_ ](?:name|call))?|action(?: \d{1,2})?|name|call|command|method)${mark}\s?[:=]${mark}[ \t]{0,9}${mark}${name}${mark}[ \t]{0,9}(?=\r?\n|\[|$)`,
  'iuy',
);

// The next line that is not empty: a key or a label with its value, or a bracket.
const followingPattern =
  /(?:\r?\n){1,2}[ \t]{0,16}(?:[-*] )?(?:[{[]|`{3}|["'`*]{0,3}[A-Za-z_][\w -]{0,63}["'`*]{0,3}\s?[:=])/y;
// If a name is not declared, only arguments after it show that it is a call.
const argumentsPattern =
  /(?:\r?\n){1,2}[ \t]{0,16}["'`*]{0,3}(?:(?:tool|function)[_ ])?(?:arguments|args|parameters|params|input)["'`*]{0,3}\s?[:=]/iy;
const inBrackets = /\[(?!\d{0,9}\])[^\]\n]{1,300}\]?/y;

const maxCommandWords = 8;

/** Maximum number of characters to search in a line, or in lines that belong together. */
const maxLength = 400;

/** Returns the mention of a tool with arguments in the line at an offset. */
export function lineMention(text: string, start: number, tools: ToolFinder): LineMention | undefined {
  return labelled(text, start, tools) ?? command(text, start, tools);
}

/** `Tool: weather_at`, and arguments on the next line or in brackets. */
function labelled(text: string, start: number, { named }: ToolFinder): LineMention | undefined {
  const label = matchAt(labelPattern, text, start);
  const written = label?.[1];
  if (label === null || written === undefined) return undefined;
  const behind = start + label[0].length;
  const tool = named(written);
  const mention = (end: number): LineMention => ({ name: tool?.name ?? written, start, end, isReadable: true });
  if (matchAt(tool === undefined ? argumentsPattern : followingPattern, text, behind) !== null)
    return mention(endOfBlock(text, start, behind));
  const brackets = tool === undefined ? null : matchAt(inBrackets, text, behind);
  return brackets === null ? undefined : mention(behind + brackets[0].length);
}

/** A line that begins with the name of a tool: `weather_at Bled`, `weather_at[Bled]`. */
function command(text: string, start: number, { named, exact }: ToolFinder): LineMention | undefined {
  const found = matchAt(commandPattern, text, start);
  const tool = exact(found?.[1]) ? named(found?.[1]) : undefined;
  if (found === null || tool === undefined) return undefined;
  const behind = start + found[0].length;
  const mention = (end: number): LineMention => ({ name: tool.name, start, end, isReadable: true });
  const brackets = matchAt(inBrackets, text, behind);
  if (brackets !== null) return mention(behind + brackets[0].length);
  const end = endOfLine(text, start);
  const isKey = text[behind] === ':';
  const rest = text.slice(behind + (isKey ? 1 : 0), end).trim();
  const words = rest.split(/\s+/).length;
  const isShort = words <= (isKey ? 1 : maxCommandWords) || rest.startsWith('-');
  const isCommand = rest !== '' && isShort && argumentPattern.test(rest);
  return isCommand || (rest !== '' && isInFence(text, start)) ? mention(end) : undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  const line = end === -1 ? text.length : text[end - 1] === '\r' ? end - 1 : end;
  return Math.min(line, start + maxLength);
}

/** Returns the end of the lines up to an empty line that follows the first two, or a fence. */
function endOfBlock(text: string, start: number, from: number): number {
  const block = text.slice(from, start + maxLength);
  const end = block.slice(4).search(/\n\s{0,9}(?:\n|```)/);
  return from + (end === -1 ? block.trimEnd().length : end + 4);
}

const fenceAbove = /(?:^|\n)[ \t]{0,9}(?:`{3,9}|~{3,9})[\w-]{0,32}[ \t]{0,9}\r?\n(?:[^\n]{1,200}\n){0,8}$/;

/** Returns whether only lines that are not empty stand between a line and the beginning of a code fence. */
function isInFence(text: string, start: number): boolean {
  return fenceAbove.test(text.slice(Math.max(0, start - maxLength), start));
}
