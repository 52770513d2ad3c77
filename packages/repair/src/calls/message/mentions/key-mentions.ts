import { propertySchema } from '../../arguments/text-values.ts';
import type { CallableTool, TextSpan } from '../../contract/envelope.ts';
import type { ToolFinder } from './find-tool.ts';

/** A mention that an argument shows. */
interface KeyMention extends TextSpan {
  readonly name: string;
  readonly isReadable: true;
}

/** Maximum number of characters between the name of a tool and the name of its argument. */
const reach = 200;
const maxLine = 400;

const keyBefore = /(?<![\w-])([A-Za-z_][\w-]{0,63})["'`*]{0,3}\s?$/;
const words = /[\p{L}_$][\p{L}\p{N}_$.-]*[\p{L}\p{N}_$]/gu;
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
  return (text, sign, from) => {
    if (!':=：＝'.includes(text[sign] ?? 'x')) return undefined;
    const key = keyBefore.exec(text.slice(Math.max(0, sign - 70), sign))?.[1];
    declared ??= new Set(tools.flatMap(({ parameters }) => propertyNames(parameters)));
    if (key === undefined || !declared.has(key) || !/^\s{0,3}[^\s:=]/.test(text.slice(sign + 1, sign + 5)))
      return undefined;
    const begin = Math.max(from, sign - reach);
    const before = text.slice(begin, sign);
    const takesKey = (word: string): boolean => propertySchema(named(word)?.parameters, key) !== undefined;
    const found = [...before.matchAll(words)].filter(([word]) => exact(word) && takesKey(word)).at(-1);
    const name = found?.[0];
    if (found === undefined || name === undefined || gapPattern.test(before.slice(found.index + name.length)))
      return undefined;
    const line = text.indexOf('\n', sign);
    return {
      name,
      isReadable: true,
      start: begin + found.index,
      end: Math.min(line === -1 ? text.length : line, sign + maxLine),
    };
  };
}

function propertyNames(parameters: CallableTool['parameters']): readonly string[] {
  return typeof parameters === 'object' ? Object.keys(parameters.properties ?? {}) : [];
}
