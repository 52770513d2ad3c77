import { isNamePart } from '../../../json/text/characters.ts';
import { declares, shapeOf } from '../../contract/argument-shape.ts';
import type { CallableTool, TextSpan } from '../../contract/envelope.ts';
import type { ToolFinder } from './find-mentioned-tool.ts';

/** A mention that is recognized by an argument. */
interface KeyMention extends TextSpan {
  readonly name: string;
  readonly isReadable: true;
}

/** Maximum number of characters between the name of a tool and the sign after its argument. */
const reach = 200;
const maxLine = 400;

const word = /(?<![\p{L}\p{N}_$.-])[\p{L}_$](?:[\p{L}\p{N}_$.-]*[\p{L}\p{N}_$])?/gu;
// A sentence that ends, or a fourth line.
const gapPattern = /[.!?]\s|(?:\n[^\n]*){4}/;

/**
 * Creates a function that finds the declared argument before a colon or an equals sign, and the exact name of its tool
 * before that: `weather_at, city=Bled` `weather_at⏎- city: Bled`. Returns the range from the name to the end of the line.
 */
export function createKeyFinder(
  tools: readonly CallableTool[],
  { named, exact }: ToolFinder,
): (text: string, sign: number, from: number) => KeyMention | undefined {
  let declared: ReadonlySet<string> | undefined;
  /** The names of tools in a text up to an offset, so that each word is looked up once. */
  let known = { text: '', to: 0, names: [] as readonly { readonly name: string; readonly at: number }[] };

  const namesBefore = (text: string, sign: number): typeof known.names => {
    if (known.text !== text) known = { text, to: 0, names: [] };
    const begin = Math.max(0, sign - reach);
    const names = known.names.filter(({ at }) => at >= begin);
    word.lastIndex = Math.max(known.to, begin);
    for (let match = word.exec(text); match !== null && match.index < sign; match = word.exec(text)) {
      if (exact(match[0])) names.push({ name: match[0], at: match.index });
    }
    known = { text, to: sign, names };
    return names;
  };

  return (text, sign, from) => {
    if (!':=：＝'.includes(text[sign] ?? 'x')) return undefined;
    declared ??= new Set(tools.flatMap((tool) => shapeOf(tool)?.keys ?? []));
    const key = keyBefore(text, sign);
    if (!declared.has(key) || !/^\s{0,3}[^\s:=]/.test(text.slice(sign + 1, sign + 5))) return undefined;
    const takesKey = (name: string): boolean => declares(named(name), key);
    const found = namesBefore(text, sign)
      .filter(({ name, at }) => at >= from && takesKey(name))
      .at(-1);
    if (found === undefined || gapPattern.test(text.slice(found.at + found.name.length, sign))) return undefined;
    const line = text.indexOf('\n', sign);
    const end = Math.min(line === -1 ? text.length : line, sign + maxLine);
    return { name: found.name, isReadable: true, start: found.at, end };
  };
}

const maxKey = 64;
const maxMarks = 3;

/** Returns the name before a sign, without marks around it. */
function keyBefore(text: string, sign: number): string {
  let end = text[sign - 1] === ' ' ? sign - 1 : sign;
  for (let marks = 0; marks < maxMarks && end > 0 && '"\'`*'.includes(text[end - 1] ?? 'x'); marks += 1) end -= 1;
  let start = end;
  while (start > 0 && end - start < maxKey && isNamePart(text.charCodeAt(start - 1))) start -= 1;
  return text.slice(start, end);
}
