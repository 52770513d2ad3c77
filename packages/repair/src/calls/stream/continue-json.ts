import { isSame } from '../../json/result/is-same.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/result/json-value.ts';

/** An open container: what it is, which of its keys have been written, and which one was begun last. */
interface OpenContainer {
  readonly isList: boolean;
  readonly keys: Set<string>;
  key: string;
  /** How many items have been begun. */
  count: number;
}

/** Where a text ends that is the beginning of the JSON of an object. */
interface Beginning {
  readonly open: readonly OpenContainer[];
  /** What there is of a string whose end is missing. */
  readonly text: string | undefined;
  /** Whether a value is due. */
  readonly isDue: boolean;
}

/**
 * What makes the beginning of JSON that has been shown into the JSON of a value, as a reader takes it that goes by the last
 * of two members of one name. `whole` is how the beginning went on in the text.
 */
export function continueJson(begun: string, value: JsonObject, whole: string | undefined): string {
  if (begun === '') return JSON.stringify(value);
  if (whole !== undefined && isSame(parse(whole), value)) return whole.slice(begun.length);
  const beginning = readBeginning(begun);
  const rest = alignedRest(beginning, value);
  return rest !== undefined && isSame(parse(begun + rest), value) ? rest : closeAndRepeat(beginning, value);
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

const TOKENS = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;

function readBeginning(begun: string): Beginning {
  const open: OpenContainer[] = [];
  let text: string | undefined;
  let isDue = true;
  for (const [token] of begun.matchAll(TOKENS)) {
    const top = open.at(-1);
    if (token === '}' || token === ']') {
      open.pop();
      isDue = false;
    } else if (token === ',') isDue = top?.isList === true;
    else if (token === ':') isDue = true;
    else if (token.startsWith('"') && top?.isList === false && !isDue) {
      top.key = JSON.parse(token) as string;
      top.keys.add(top.key);
    } else {
      if (top !== undefined) top.count += 1;
      const isOpener = token === '{' || token === '[';
      if (isOpener) open.push({ isList: token === '[', keys: new Set(), key: '', count: 0 });
      // A string is cut only at the very end.
      else if (token.startsWith('"') && parse(token) === undefined) text = parseString(token);
      isDue = token === '[';
    }
  }
  return { open, text, isDue };
}

function parseString(token: string): string {
  return JSON.parse(`${token}"`) as string;
}

/** The rest when what has been shown is how the value begins. */
function alignedRest({ open, text, isDue }: Beginning, value: JsonObject): string | undefined {
  let rest = '';
  const path: JsonValue[] = [value];
  for (const [index, { isList, key, count }] of open.entries()) {
    const container = path[index];
    const isRight = isList ? Array.isArray(container) : isJsonObject(container);
    if (!isRight) return undefined;
    const member = isList ? (container as readonly JsonValue[])[count - 1] : (container as JsonObject)[key];
    if (index < open.length - 1) path.push(member ?? null);
    else if (text !== undefined) {
      if (typeof member !== 'string' || !member.startsWith(text)) return undefined;
      rest = JSON.stringify(member.slice(text.length)).slice(1);
    } else if (isDue && !isList) {
      if (member === undefined) return undefined;
      rest = JSON.stringify(member);
    }
  }
  for (let index = open.length - 1; index >= 0; index -= 1) {
    const one = open[index];
    const container = path[index];
    if (one !== undefined && container !== undefined) rest += remaining(one, container, isDue && rest === '');
  }
  return rest;
}

/** What a container holds beyond what has been begun of it, and its closer. */
function remaining({ isList, keys, count }: OpenContainer, container: JsonValue, isDue: boolean): string {
  const values = isList
    ? (container as readonly JsonValue[]).slice(count).map((item) => JSON.stringify(item))
    : Object.entries(container as JsonObject)
        .filter(([key]) => !keys.has(key))
        .map(([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member)}`);
  const isFirst = isDue || (isList ? count === 0 : keys.size === 0);
  const separator = values.length > 0 && !isFirst ? ',' : '';
  return `${separator}${values.join(',')}${isList ? ']' : '}'}`;
}

/** Closes what is open and says every member again, since the last one of a name counts. */
function closeAndRepeat({ open, text, isDue }: Beginning, value: JsonObject): string {
  let rest = text === undefined ? '' : '"';
  if (isDue && open.at(-1)?.isList === false) rest += 'null';
  else if (isDue && (open.at(-1)?.count ?? 0) > 0) rest += 'null';
  for (let index = open.length - 1; index > 0; index -= 1) rest += open[index]?.isList === true ? ']' : '}';
  const members = JSON.stringify(value).slice(1);
  const isFirst = open[0]?.keys.size === 0 || members === '}';
  return `${rest}${isFirst ? '' : ','}${members}`;
}
