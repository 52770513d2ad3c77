import type { Shape } from '../../../json/result/declared-shape.ts';
import type { JsonValue } from '../../../json/result/json-value.ts';
import { createRepair, type Repair } from '../../../json/result/repair-result.ts';
import { execAt, fromHex, simpleEscape } from '../../../json/text/characters.ts';
import { words } from '../../../json/text/value-words.ts';
import { parseJson } from '../../../json/document/read-valid-document.ts';
import { isOnlyText } from '../text-values.ts';
import { collectionOf, readCollection } from './collections.ts';
import { readComputed } from './computed-value.ts';

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

/** Reads literals of Python and JavaScript from an offset on, and notes how their notation differs from JSON. */
export class PlainCodeReader {
  at: number;
  readonly repairs: Repair[] = [];
  private readonly text: string;
  private readonly maxDepth: number;
  private depth = 0;
  /** Whether the list that was read last has a comma. */
  private hasComma = false;

  constructor(text: string, from: number, depth: number | undefined) {
    this.text = text;
    this.at = from;
    this.maxDepth = Math.min(maxDepth, depth ?? maxDepth);
  }

  note(code: string, start: number, end: number, assumed: string, risk: Repair['risk'] = 'safe'): void {
    this.repairs.push(createRepair(this.text, code, risk, start, end, assumed));
  }

  take(pattern: RegExp): RegExpExecArray | null {
    const match = execAt(pattern, this.text, this.at);
    if (match !== null) this.at = pattern.lastIndex;
    return match;
  }

  /** Passes white space and comments, and returns the next character. */
  next(): string | undefined {
    const start = this.at;
    const comment = this.take(spacePattern)?.[0].search(/[#/]/) ?? -1;
    if (comment !== -1) {
      const code = this.text[start + comment] === '#' ? 'hash-comment' : 'line-comment';
      this.note(code, start + comment, this.at, '');
    }
    return this.text[this.at];
  }

  /** Reads the name of an argument or a key without quotes, with its sign. */
  readKey(): string | undefined {
    return this.take(keyPattern)?.[1]?.replaceAll('\\', '');
  }

  /** Reads a value that only its declaration shows: a calculation, a function, or words without quotes that `isListed` allows. */
  readDeclared(declared: Shape | undefined, isListed?: (word: string) => boolean): string | number | undefined {
    const computed = declared === undefined ? undefined : readComputed(this.text, this.at, declared, isListed);
    if (computed === undefined) return undefined;
    this.note(computed.code, this.at, computed.end, String(computed.value), 'lossy');
    this.at = computed.end;
    return computed.value;
  }

  /** `isJoined` returns whether a string at the offset continues the one before it. */
  readValue(isJoined: () => boolean, declared?: Shape): JsonValue | undefined {
    const start = this.at;
    const collection = readCollection(this.text, start);
    if (collection !== undefined) {
      const { kind, closer, end } = collection;
      this.note('other-value', start, end, kind === 'map' ? '{' : '[');
      this.at = end;
      const items = this.readList(closer, closer === ')', kind === 'list' ? declared : undefined);
      return items && collectionOf(kind, items);
    }
    const string = this.readString();
    if (string !== undefined) return this.readJoined(string, isJoined);
    if (this.at > start) return undefined;
    const word = this.take(wordPattern)?.[0];
    if (word === 'dict' && this.take(dictPattern) !== null) {
      this.note('other-value', start, this.at, '{');
      return this.readMembers(')');
    }
    if (word !== undefined) {
      const { value, risk } = words.get(word) ?? {};
      if (risk === 'safe') this.note('other-word', start, this.at, String(value));
      return risk === 'lossy' ? undefined : value;
    }
    const token = this.take(numberPattern)?.[0];
    if (token !== undefined) {
      const number = token.replaceAll('_', '').replace(/^\+|[lLfFdD]$/g, '');
      const isExact = /^-?\d+$/.test(number) ? Number.isSafeInteger(Number(number)) : Number.isFinite(Number(number));
      return isExact ? (isOnlyText(declared, 'json') ? token : parseJson(number)) : undefined;
    }
    this.at += 1;
    if (this.text[start] === '[') return this.readList(']', false, declared);
    if (this.text[start] === '{') return this.readMembers('}');
    if (this.text[start] !== '(') return undefined;
    this.note('tuple', start, this.at, '[');
    const items = this.readList(')', true);
    return items?.length === 1 && !this.hasComma ? items[0] : items;
  }

  private readString(): string | undefined {
    const start = this.at;
    const [, prefix = '', quote = ''] = this.take(quotePattern) ?? [];
    const body = bodyByQuote[quote];
    const inside = body && this.take(body)?.[1];
    const value = inside === undefined ? undefined : decode(inside, prefix.toLowerCase());
    if (value !== undefined && (quote !== '"' || prefix !== '')) {
      const code = quote === '"' ? 'string-prefix' : quote === "'" ? 'single-quotes' : 'triple-quotes';
      this.note(code, start, this.at, JSON.stringify(value));
    }
    return value;
  }

  /** Adds the strings that continue a string. */
  private readJoined(first: string, isJoined: () => boolean): string | undefined {
    let string = first;
    while (/["'rRuUfF]/.test(this.next() ?? '') && isJoined()) {
      const begin = this.at;
      const more = this.readString();
      // A name, such as that of the next argument, may begin like a prefix.
      if (more === undefined && this.at === begin) break;
      if (more === undefined) return undefined;
      string += more;
    }
    return string;
  }

  /** Reads items up to a closer. Passes a comma after each. */
  private readItems(closer: string, readOne: () => boolean): boolean {
    if (this.depth >= this.maxDepth) return false;
    this.depth += 1;
    let commas = 0;
    while (this.next() !== closer) {
      if (!readOne()) return false;
      const sign = this.next();
      if (sign === ',') {
        this.at += 1;
        commas += 1;
      } else if (sign !== closer) return false;
    }
    this.at += 1;
    this.depth -= 1;
    this.hasComma = commas > 0;
    return true;
  }

  /** `isJoined`: adjacent strings are one. */
  private readList(closer: string, isJoined: boolean, declared?: Shape): JsonValue[] | undefined {
    const items: JsonValue[] = [];
    const item = declared?.item(0);
    const isRead = this.readItems(closer, () => {
      const value = this.readDeclared(item) ?? this.readValue(() => isJoined);
      if (value !== undefined) items.push(value);
      return value !== undefined;
    });
    return isRead ? items : undefined;
  }

  private readMembers(closer: string): JsonValue | undefined {
    const members: [string, JsonValue][] = [];
    const isRead = this.readItems(closer, () => {
      const word = this.readKey();
      const key = word ?? (closer === '}' ? this.readString() : undefined);
      if (key === undefined || (word === undefined && this.next() !== ':')) return false;
      if (word === undefined) this.at += 1;
      this.next();
      const value = this.readValue(() => false);
      if (value !== undefined) members.push([key, value]);
      return value !== undefined;
    });
    return isRead ? Object.fromEntries(members) : undefined;
  }
}

const escapePattern = /\\(?:([nrtbf0'"\\/])|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U000([\da-fA-F]{5})|(\n))|\\/g;
const drivePattern = /^[A-Za-z]:\\(?!\\)/;

/** Returns the value of the text between quotes with a prefix such as `r`, or undefined if it is ambiguous. */
function decode(inside: string, prefix: string): string | undefined {
  if (prefix.includes('f') && /[{}]/.test(inside)) return undefined;
  if (prefix.includes('r') || !inside.includes('\\')) return inside;
  // A path with single backslashes.
  if (drivePattern.test(inside)) return undefined;
  let isKnown = true;
  const text = inside.replaceAll(escapePattern, (whole, one: string | undefined, ...others: (string | undefined)[]) => {
    if (one !== undefined) return one === '0' ? '\0' : (simpleEscape(one.charCodeAt(0)) ?? one);
    const [byte, unit, point, line] = others;
    const code = byte ?? unit ?? point;
    isKnown &&= code !== undefined || line !== undefined;
    return code === undefined ? '' : fromHex(code);
  });
  return isKnown ? text : undefined;
}
