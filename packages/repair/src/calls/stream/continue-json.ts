import { isSame } from '../../json/result/is-same.ts';
import type { JsonObject, JsonValue } from '../../json/result/json-value.ts';

/**
 * Returns the text that completes the beginning of an object's JSON to the JSON of a value, for a reader that takes the
 * last of two members of one name. `whole`: the complete text that the beginning was taken from, if it is valid JSON.
 */
export function continueJson(begun: string, value: JsonObject, whole: string | undefined): string {
  if (begun === '') return JSON.stringify(value);
  if (whole !== undefined && isSame(parse(whole), value)) return whole.slice(begun.length);
  const { closers, filler } = openEnds(begun);
  const rest = continueMembers(begun, value, closers, filler);
  if (rest !== undefined && isSame(parse(begun + rest), value)) return rest;
  const members = JSON.stringify(value).slice(1);
  const isFirst = begun.trim() === '{' || members === '}';
  return `${filler}${closers.slice(0, -1)}${isFirst ? '' : ','}${members}`;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

const tokens = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Returns the closers of the open containers, and the text that completes the last string or stands for a missing value. */
function openEnds(begun: string): { readonly closers: string; readonly filler: string } {
  let closers = '';
  let last = '';
  for (const [token] of begun.matchAll(tokens)) {
    if (token === '{' || token === '[') closers = (token === '{' ? '}' : ']') + closers;
    else if (token === '}' || token === ']') closers = closers.slice(1);
    last = token;
  }
  if (last.startsWith('"')) return { closers, filler: parse(last) === undefined ? '"' : '' };
  return { closers, filler: last === ':' || last === ',' ? 'null' : '' };
}

/** Continues with the members that are missing, if the beginning has only members of the value. */
function continueMembers(begun: string, value: JsonObject, closers: string, filler: string): string | undefined {
  if (closers !== '}') return undefined;
  const known = parse(`${begun}${filler}}`) as JsonObject | undefined;
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
