import type { Machine } from '../machine/machine.ts';
import type { Repair } from '../result/repair-result.ts';
import { isJsonObject, type JsonValue } from '../result/json-value.ts';

/** Returns whether a value contains text without quotes. */
export const hasUnquotedText = (repairs: readonly Repair[]): boolean =>
  repairs.some(({ code }) => code === 'unquoted-string');

const typeName = /^(?:string|number|integer|boolean|object|array)(?:\s*(?:\/\/|#)[^\n]*)?$/;

/** `{name: string, age: number // in years}`: returns whether a value is the format of an answer. */
export function isFormat({ repairs, root }: Machine): boolean {
  const unquoted = repairs.filter(({ code }) => code === 'unquoted-string').length;
  if (unquoted === 0 || !isJsonObject(root)) return false;
  const members = Object.entries(root);
  const isType = ([key, value]: [string, JsonValue]): boolean =>
    key !== 'type' && typeof value === 'string' && typeName.test(value);
  return unquoted === members.length && members.every(isType);
}

/** `{ title: string; type: T; }`: returns whether a value without an end has unquoted texts, as a type in prose has. */
export const isCutType = ({ ending, repairs }: Machine): boolean => ending !== 'closed' && hasUnquotedText(repairs);

/** `` `{ a: T; }` ``: returns whether a value without quotes is code in a sentence. */
export function isTypeInSentence({ repairs, start, text }: Machine): boolean {
  const end = text[start - 1] === '`' ? text.indexOf('`', start) : -1;
  return end !== -1 && !text.slice(start, end).includes('"') && hasUnquotedText(repairs);
}
