import { isJsonObject, type JsonValue } from '../../../json/result/json-value.ts';
import type { RepairOptions } from '../../../json/result/repair-options.ts';
import { shapeOf } from '../../contract/argument-shape.ts';
import type { CallableTool } from '../../contract/envelope.ts';
import { type ReadValue, undamaged } from '../../source/call-bounds.ts';
import { PlainCodeReader } from './plain-code-reader.ts';

const maxLength = 100_000;

/**
 * Reads the arguments after a call's parenthesis if they are plain code: undamaged literals of Python and JavaScript.
 * Only a comma before the name of a declared argument may be missing, and with `takesWords` the quotes of a declared
 * string. Returns undefined for anything else.
 */
export function readPlainCode(
  text: string,
  from: number,
  tool: CallableTool | undefined,
  { limits }: RepairOptions,
  takesWords = false,
): ReadValue | undefined {
  if (text.length - from > maxLength || (limits?.duplicateKeys ?? limits?.unsafeIntegers) !== undefined)
    return undefined;
  const shape = shapeOf(tool);
  const code = new PlainCodeReader(text, from, limits?.depth);
  const named: [string, JsonValue][] = [];
  const positional: JsonValue[] = [];
  while (code.next() !== ')') {
    const isSpread = text.startsWith('**', code.at);
    if (isSpread) code.at += 2;
    const key = isSpread ? undefined : code.readKey();
    const declared = key === undefined ? undefined : shape?.member(key);
    const isListed = takesWords ? (word: string) => listsWord(tool, key, word) : undefined;
    code.next();
    const isJoined = (): boolean => /\s/.test(text[code.at - 1] ?? '');
    const value = code.readDeclared(declared, isListed) ?? code.readValue(isJoined, declared);
    if (value === undefined) return undefined;
    if (isSpread) {
      if (!isJsonObject(value)) return undefined;
      named.push(...Object.entries(value));
    } else if (key === undefined && named.length > 0) return undefined;
    else if (key === undefined) positional.push(value);
    else if (named.some(([one]) => one === key)) return undefined;
    else named.push([key, value]);
    const sign = code.next();
    if (sign === ',') code.at += 1;
    else if (sign !== ')') {
      const start = code.at;
      if (shape?.hasMember(code.readKey() ?? '') !== true) return undefined;
      code.at = start;
      code.note('missing-comma', start, start, ',', 'lossy');
    }
  }
  const { at, repairs } = code;
  const risk = repairs.some((repair) => repair.risk === 'lossy') ? 'lossy' : 'safe';
  const listed = repairs.slice(0, limits?.repairs ?? 10_000);
  return { ...undamaged, root: Object.fromEntries(named), positional, rootEnd: at + 1, risk, repairs: listed };
}

/** Returns whether the schema of an argument lists a word. */
function listsWord(tool: CallableTool | undefined, key: string | undefined, word: string): boolean {
  const { properties } = (tool?.parameters ?? {}) as {
    readonly properties?: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
  };
  return properties?.[key ?? '']?.enum?.includes(word) === true;
}
