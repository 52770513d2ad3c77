import { isSame, type JsonObject } from '../../json/result/json-value.ts';
import { wholeEnd } from '../../json/text/characters.ts';
import { certainEnd } from '../../json/stream/live-string.ts';
import { JsonScanner } from '../source/json-scanner.ts';
import { parseJson } from '../../json/document/read-valid-document.ts';

/**
 * Continues the beginning of an object's JSON, so that both together are the JSON of `value`. A member may be repeated,
 * since readers of JSON use the last one. `rest`: the text that follows the beginning, if both together are valid JSON.
 */
export function continueJson(begun: string, value: JsonObject, rest: string | undefined): string {
  if (begun === '') return JSON.stringify(value);
  if (rest !== undefined && isSame(parseJson(begun + rest), value)) return rest;
  const scanner = new JsonScanner(0);
  scanner.scan(begun);
  const { filler, closers } = scanner.missing();
  const added = continueMembers(begun, value, filler);
  if (added !== undefined && isSame(parseJson(begun + added), value)) return added;
  const members = JSON.stringify(value).slice(1);
  const isFirst = begun.trim() === '{' || members === '}';
  return `${filler}${closers.slice(0, -1)}${isFirst ? '' : ','}${members}`;
}

/** Adds the missing members, if the beginning has only members of the value. */
function continueMembers(begun: string, value: JsonObject, filler: string): string | undefined {
  // With more open containers, or none, this is not valid JSON.
  const known = parseJson(`${begun}${filler}}`) as JsonObject | undefined;
  if (known === undefined) return undefined;
  const lastKey = Object.keys(known).at(-1) ?? '';
  const member = value[lastKey];
  let rest = '';
  if (filler === 'null') rest = JSON.stringify(member);
  else if (filler === '"') {
    const text = known[lastKey];
    if (typeof text !== 'string' || typeof member !== 'string' || !member.startsWith(text)) return undefined;
    rest = JSON.stringify(member.slice(text.length)).slice(1);
  }
  const others = Object.entries(value).filter(([key]) => !Object.hasOwn(known, key));
  const isFirst = Object.keys(known).length === 0;
  const added = others.map(
    ([key, one], at) => `${isFirst && at === 0 ? '' : ','}${JSON.stringify(key)}:${JSON.stringify(one)}`,
  );
  return `${rest}${added.join('')}}`;
}

/** The beginning of an object's JSON that is certain while the rest arrives. */
interface CertainJson {
  /** Receives the next chunk of the text. Returns the additional text that is certain now. */
  readonly take: (chunk: string) => string;
  /** Returns the text after the certain part if the object is complete. */
  readonly rest: () => string | undefined;
}

/**
 * Finds the certain part of valid JSON: everything before the latest value, and the part of an unfinished string that
 * stays in it even if its closing quote turns out to be missing. Nothing is certain after damage. `onKey` receives the
 * keys of the object.
 */
export function createCertainJson(onKey: (key: string) => void): CertainJson {
  const scanner = new JsonScanner(0, { open: () => ({ open: () => undefined, key: onKey }) });
  let rest = '';
  return {
    take: (chunk) => {
      const before = scanner.at;
      scanner.scan(chunk);
      rest += chunk.slice(0, scanner.at - before);
      if (scanner.status === 'broken') return '';
      const { valueAt, wholeAt, isInText, isInList } = scanner;
      const start = scanner.at - rest.length;
      const end = isInText ? certainLength(rest.slice(0, wholeAt - start), valueAt - start, isInList) : valueAt - start;
      if (end <= 0) return '';
      const certain = rest.slice(0, end);
      rest = rest.slice(end);
      return certain;
    },
    rest: () => (scanner.status === 'closed' ? rest : undefined),
  };
}

const maxPathLength = 1_024;
const drivePattern = /^"[A-Za-z](?:$|:(?:$|\\))/;

/** Returns the length of the certain part of text that ends inside the string that begins at `quote`. */
function certainLength(text: string, quote: number, isInList: boolean): number {
  // Only the end of a path shows that its backslashes were not escaped.
  if (quote >= 0 && text.length - quote < maxPathLength && drivePattern.test(text.slice(quote, quote + 4)))
    return quote;
  return wholeEnd(text, certainEnd(text, quote + 1, text.length, isInList));
}
