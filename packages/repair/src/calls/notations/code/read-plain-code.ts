import type { Machine } from '../../../json/machine/machine.ts';
import type { Shape } from '../../../json/result/declared-shape.ts';
import { isJsonObject, type JsonValue } from '../../../json/result/json-value.ts';
import type { RepairOptions } from '../../../json/result/repair-options.ts';
import { createRepair, type Repair } from '../../../json/result/repair-result.ts';
import { execAt } from '../../../json/text/characters.ts';
import { shapeOf } from '../../contract/argument-shape.ts';
import type { CallableTool } from '../../contract/envelope.ts';
import { parseJson } from '../../../json/document/read-valid-document.ts';
import { isOnlyText } from '../text-values.ts';
import { collectionOf, readCollection } from './collections.ts';
import { readComputed } from './computed-value.ts';
import { decode } from './string-literal.ts';

/** The result of reading the arguments of a call. */
export type CodeArguments = Pick<
  Machine,
  'root' | 'positional' | 'rootEnd' | 'risk' | 'repairs' | 'failure' | 'ending' | 'hasAmbiguousEnd' | 'isUncertain'
>;

const maxLength = 100_000;
/** This reader is recursive. Deeper code is left to the other one. */
const maxDepth = 200;

// In `100 // 3`, the slashes are a division.
const spacePattern = /(?:\s|#[^\n]*|\/\/(?!(?<=\d\s{0,2}\/\/)\s{0,2}\d)[^\n]*)+/y;
const quotePattern = /([rRuUfF]{0,2})("""|'''|"|')/y;
const numberPattern = /[-+]?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?(?:[lLfFdD](?!\w))?/y;
const wordPattern = /[A-Za-z_]\w*/y;
const keyPattern = /([A-Za-z_](?:\w|\\_)*)\s*[=:](?!=)/y;
const dictPattern = /\s*\(/y;

const bodyByQuote: Readonly<Record<string, RegExp>> = {
  '"': /([^"\\]*(?:\\[^][^"\\]*)*)"/y,
  "'": /([^'\\]*(?:\\[^][^'\\]*)*)'/y,
  '"""': /([^]*?)"""/y,
  "'''": /([^]*?)'''/y,
};

const valueByWord: ReadonlyMap<string | undefined, boolean | null> = new Map([
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
  ['None', null],
  ['null', null],
]);

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
): CodeArguments | undefined {
  if (text.length - from > maxLength || (limits?.duplicateKeys ?? limits?.unsafeIntegers) !== undefined)
    return undefined;
  const shape = shapeOf(tool);
  const repairs: Repair[] = [];
  let at = from;
  let depth = 0;
  /** Whether the list that was read last has a comma. */
  let hasComma = false;

  const note = (code: string, start: number, end: number, assumed: string, risk: Repair['risk'] = 'safe'): void => {
    repairs.push(createRepair(text, code, risk, start, end, assumed));
  };
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = execAt(pattern, text, at);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  /** Passes white space and comments, and returns the next character. */
  const next = (): string | undefined => {
    const start = at;
    const comment = take(spacePattern)?.[0].search(/[#/]/) ?? -1;
    if (comment !== -1) note(text[start + comment] === '#' ? 'hash-comment' : 'line-comment', start + comment, at, '');
    return text[at];
  };
  const readString = (): string | undefined => {
    const start = at;
    const [, prefix = '', quote = ''] = take(quotePattern) ?? [];
    const body = bodyByQuote[quote];
    const inside = body && take(body)?.[1];
    const value = inside === undefined ? undefined : decode(inside, prefix.toLowerCase());
    if (value !== undefined && (quote !== '"' || prefix !== '')) {
      const code = quote === '"' ? 'string-prefix' : quote === "'" ? 'single-quotes' : 'triple-quotes';
      note(code, start, at, JSON.stringify(value));
    }
    return value;
  };
  const readDeclared = (
    declared: Shape | undefined,
    isListed?: (word: string) => boolean,
  ): string | number | undefined => {
    const computed = declared === undefined ? undefined : readComputed(text, at, declared, isListed);
    if (computed === undefined) return undefined;
    note(computed.code, at, computed.end, String(computed.value), 'lossy');
    at = computed.end;
    return computed.value;
  };
  /** Reads items up to a closer. Passes a comma after each. */
  const readItems = (closer: string, readOne: () => boolean): boolean => {
    if (depth >= Math.min(maxDepth, limits?.depth ?? maxDepth)) return false;
    depth += 1;
    let commas = 0;
    while (next() !== closer) {
      if (!readOne()) return false;
      const sign = next();
      if (sign === ',') {
        at += 1;
        commas += 1;
      } else if (sign !== closer) return false;
    }
    at += 1;
    depth -= 1;
    hasComma = commas > 0;
    return true;
  };
  /** `isJoined`: adjacent strings are one. */
  const readList = (closer: string, isJoined: boolean, declared?: Shape): JsonValue[] | undefined => {
    const items: JsonValue[] = [];
    const item = declared?.item(0);
    const isRead = readItems(closer, () => {
      const value = readDeclared(item) ?? readValue(() => isJoined);
      if (value !== undefined) items.push(value);
      return value !== undefined;
    });
    return isRead ? items : undefined;
  };
  const readMembers = (closer: string): JsonValue | undefined => {
    const members: [string, JsonValue][] = [];
    const isRead = readItems(closer, () => {
      const word = take(keyPattern)?.[1]?.replaceAll('\\', '');
      const key = word ?? (closer === '}' ? readString() : undefined);
      if (key === undefined || (word === undefined && next() !== ':')) return false;
      if (word === undefined) at += 1;
      next();
      const value = readValue(() => false);
      if (value !== undefined) members.push([key, value]);
      return value !== undefined;
    });
    return isRead ? Object.fromEntries(members) : undefined;
  };
  /** `isJoined` returns whether a string at the offset continues the one before it. */
  const readValue = (isJoined: () => boolean, declared?: Shape): JsonValue | undefined => {
    const start = at;
    const collection = readCollection(text, at);
    if (collection !== undefined) {
      const { kind, closer } = collection;
      note('other-value', at, collection.end, kind === 'map' ? '{' : '[');
      at = collection.end;
      const items = readList(closer, closer === ')', kind === 'list' ? declared : undefined);
      return items && collectionOf(kind, items);
    }
    let string = readString();
    if (string !== undefined) {
      while (/["'rRuUfF]/.test(next() ?? '') && isJoined()) {
        const begin = at;
        const more = readString();
        // A name, such as that of the next argument, may begin like a prefix.
        if (more === undefined && at === begin) break;
        if (more === undefined) return undefined;
        string += more;
      }
      return string;
    }
    if (at > start) return undefined;
    const word = take(wordPattern)?.[0];
    const value = valueByWord.get(word);
    if (value !== undefined && String(value) !== word) note('other-word', start, at, String(value));
    if (word === 'dict' && take(dictPattern) !== null) {
      note('other-value', start, at, '{');
      return readMembers(')');
    }
    if (word !== undefined) return value;
    const token = take(numberPattern)?.[0];
    if (token !== undefined) {
      const number = token.replaceAll('_', '').replace(/^\+|[lLfFdD]$/g, '');
      const isExact = /^-?\d+$/.test(number) ? Number.isSafeInteger(Number(number)) : Number.isFinite(Number(number));
      return isExact ? (isOnlyText(declared, 'json') ? token : parseJson(number)) : undefined;
    }
    at += 1;
    if (text[start] === '[') return readList(']', false, declared);
    if (text[start] === '{') return readMembers('}');
    if (text[start] !== '(') return undefined;
    note('tuple', start, at, '[');
    const items = readList(')', true);
    return items?.length === 1 && !hasComma ? items[0] : items;
  };

  const named: [string, JsonValue][] = [];
  const positional: JsonValue[] = [];
  while (next() !== ')') {
    const isSpread = text.startsWith('**', at);
    if (isSpread) at += 2;
    const key = isSpread ? undefined : take(keyPattern)?.[1]?.replaceAll('\\', '');
    const declared = key === undefined ? undefined : shape?.member(key);
    const isListed = takesWords ? (word: string) => listsWord(tool, key, word) : undefined;
    next();
    const value = readDeclared(declared, isListed) ?? readValue(() => /\s/.test(text[at - 1] ?? ''), declared);
    if (value === undefined) return undefined;
    if (isSpread) {
      if (!isJsonObject(value)) return undefined;
      named.push(...Object.entries(value));
    } else if (key === undefined) positional.push(value);
    else if (named.some(([one]) => one === key)) return undefined;
    else named.push([key, value]);
    const sign = next();
    if (sign === ',') at += 1;
    else if (sign !== ')') {
      const start = at;
      if (shape?.hasMember(take(keyPattern)?.[1] ?? '') !== true) return undefined;
      at = start;
      note('missing-comma', at, at, ',', 'lossy');
    }
  }
  const risk = repairs.some((repair) => repair.risk === 'lossy') ? 'lossy' : 'safe';
  const whole = { failure: undefined, ending: 'closed', hasAmbiguousEnd: false, isUncertain: false, risk } as const;
  const listed = repairs.slice(0, limits?.repairs ?? 10_000);
  return { ...whole, root: Object.fromEntries(named), positional, rootEnd: at + 1, repairs: listed };
}

/** Returns whether the schema of an argument lists a word. */
function listsWord(tool: CallableTool | undefined, key: string | undefined, word: string): boolean {
  const { properties } = (tool?.parameters ?? {}) as {
    readonly properties?: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
  };
  return properties?.[key ?? '']?.enum?.includes(word) === true;
}
