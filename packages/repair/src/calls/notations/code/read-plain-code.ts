import type { Machine } from '../../../json/machine/machine.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/result/json-value.ts';
import type { RepairOptions } from '../../../json/result/repair-options.ts';
import type { Repair } from '../../../json/result/repair-result.ts';
import type { Shape } from '../../../json/result/declared-shape.ts';
import { shapeOf } from '../../contract/argument-shape.ts';
import type { CallableTool } from '../../contract/envelope.ts';
import { isOnlyText } from '../text-values.ts';
import { parseJson } from '../../source/parse-json.ts';
import { type Collection, collectionAsJson, readCollection } from './collections.ts';
import { readComputed } from './computed-value.ts';
import { decode } from './string-literal.ts';

/** The result of reading the arguments of a call. */
export type CodeArguments = Pick<
  Machine,
  'root' | 'positional' | 'rootEnd' | 'risk' | 'repairs' | 'failure' | 'ending' | 'hasUncertainEnd'
>;

const maxLength = 100_000;

const tokenPattern =
  /(?:\s|#[^\n]*|\/\/[^\n]*)+|([rRuUfF]{0,2})("""|'''|"|')|[-+]?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?(?:[lLfFdD](?!\w))?|[A-Za-z_](?:\w|\\_)*|\*\*|[,:=()[\]{}]/y;

const bodyByQuote: Readonly<Record<string, RegExp>> = {
  '"': /([^"\\]*(?:\\[^][^"\\]*)*)"/y,
  "'": /([^'\\]*(?:\\[^][^'\\]*)*)'/y,
  '"""': /([^]*?)"""/y,
  "'''": /([^]*?)'''/y,
};

const signPattern = /\s*[=:](?!=)/y;
const openPattern = /\s*\(/y;

const jsonByWord: Readonly<Record<string, string>> = {
  True: 'true',
  true: 'true',
  False: 'false',
  false: 'false',
  None: 'null',
  null: 'null',
};

const closerByOpener: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

interface Frame {
  readonly closer: string;
  /** `dict(a=1)`. Any other parentheses contain a tuple or a single value. */
  readonly isDict: boolean;
  /** The kind of a collection that is constructed, such as `new ArrayList<>(…)`. */
  readonly collection?: Collection['kind'];
  readonly start: number;
  hasComma: boolean;
}

/**
 * Reads the arguments after a call's parenthesis if they are plain code: undamaged literals of Python and JavaScript.
 * Only a comma before the name of a declared argument may be missing, and with `takesWords` the quotes of a declared
 * string. Returns undefined for anything else. Writes the arguments as JSON, which shows which parts are well formed.
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
  const named: JsonObject[] = [];
  const positional: JsonValue[] = [];
  const repairs: Repair[] = [];
  const frames: Frame[] = [];
  let parts: string[] = [];
  let key: string | undefined;
  let isSpread = false;
  /** Whether the last token was a complete value. */
  let isAfterValue = false;
  const note = (code: string, start: number, end: number, assumed: string, risk: Repair['risk'] = 'safe'): void => {
    const found = text.slice(start, Math.min(end, start + 60));
    repairs.push({ code, start, end, found, assumed: assumed.slice(0, 60), risk });
  };
  /** Adds the completed argument. Returns false if it is not an argument. */
  const endArgument = (): boolean => {
    const value = parseJson(parts.join(' '));
    if (value === undefined) return false;
    if (isSpread ? !isJsonObject(value) : named.some((one) => key !== undefined && Object.hasOwn(one, key)))
      return false;
    if (isSpread && isJsonObject(value)) named.push(value);
    else if (key === undefined) positional.push(value);
    else named.push(parseJson(`{${JSON.stringify(key)}:${parts.join(' ')}}`) as JsonObject);
    parts = [];
    key = undefined;
    isSpread = false;
    isAfterValue = false;
    return true;
  };
  /** The declaration of the value that may begin here: an argument, or an item of one. */
  const declaration = (): Shape | undefined => {
    const [outer, ...inner] = frames;
    const whole = key === undefined ? undefined : shape?.member(key);
    if (outer === undefined) return parts.length === 0 ? whole : undefined;
    const isItem = inner.length === 0 && (outer.closer === ']' || outer.collection === 'list');
    return isItem && !isAfterValue ? whole?.item(0) : undefined;
  };
  const isNamed = (at: number): boolean => {
    signPattern.lastIndex = at;
    return signPattern.test(text);
  };

  for (let at = from; at < text.length;) {
    const declared = declaration();
    const isListed = takesWords && frames.length === 0 ? (word: string) => listsWord(tool, key, word) : undefined;
    const computed = declared === undefined ? undefined : readComputed(text, at, declared, isListed);
    if (computed !== undefined) {
      note(computed.code, at, computed.end, String(computed.value), 'lossy');
      parts.push(JSON.stringify(computed.value));
      isAfterValue = true;
      at = computed.end;
      continue;
    }
    const collection = isAfterValue ? undefined : readCollection(text, at);
    if (collection !== undefined && frames.length < 100) {
      note('other-value', at, collection.end, collection.kind === 'map' ? '{' : '[');
      frames.push({
        closer: collection.closer,
        isDict: false,
        collection: collection.kind,
        start: parts.length,
        hasComma: false,
      });
      parts.push('[');
      at = collection.end;
      continue;
    }
    tokenPattern.lastIndex = at;
    const [token, prefix = '', quote] = tokenPattern.exec(text) ?? [];
    if (token === undefined) return undefined;
    const start = at;
    at += token.length;
    const frame = frames.at(-1);
    const last = parts.at(-1);
    if (quote !== undefined) {
      const body = bodyByQuote[quote];
      if (body === undefined) return undefined;
      body.lastIndex = at;
      const inside = body.exec(text)?.[1];
      const value = inside === undefined ? undefined : decode(inside, prefix.toLowerCase());
      if (inside === undefined || value === undefined) return undefined;
      at += inside.length + quote.length;
      if (quote !== '"') note(quote === "'" ? 'single-quotes' : 'triple-quotes', start, at, JSON.stringify(value));
      else if (prefix !== '') note('string-prefix', start, at, JSON.stringify(value));
      // Adjacent strings are one, unless a comma may be missing between them.
      const isInside = frame === undefined ? /\s/.test(text[start - 1] ?? '') : frame.closer === ')' && !frame.isDict;
      const isJoined = isAfterValue && isInside && last?.startsWith('"') === true;
      if (isJoined) parts[parts.length - 1] = JSON.stringify(String(JSON.parse(last)) + value);
      else parts.push(JSON.stringify(value));
      isAfterValue = true;
    } else if (/^[\s#/]/.test(token)) {
      const comment = token.search(/[#/]/);
      if (comment !== -1) note(token[comment] === '#' ? 'hash-comment' : 'line-comment', start + comment, at, '');
    } else if (/^[A-Za-z_]/.test(token)) {
      const isKey = (frame === undefined || frame.isDict || frame.closer === '}') && isNamed(at);
      if (isKey && isAfterValue) {
        if (frame !== undefined || shape?.hasMember(token) !== true || !endArgument()) return undefined;
        note('missing-comma', start, start, ',', 'lossy');
      }
      const word = Object.hasOwn(jsonByWord, token) ? jsonByWord[token] : undefined;
      openPattern.lastIndex = at;
      if (isKey) {
        at = signPattern.lastIndex;
        if (frame === undefined && (key !== undefined || parts.length > 0)) return undefined;
        if (frame === undefined) key = token.replaceAll('\\', '');
        else parts.push(JSON.stringify(token.replaceAll('\\', '')), ':');
      } else if (word !== undefined) {
        if (word !== token) note('other-word', start, at, word);
        parts.push(word);
        isAfterValue = true;
      } else if (token === 'dict' && openPattern.test(text)) {
        at = openPattern.lastIndex;
        note('other-value', start, at, '{');
        frames.push({ closer: ')', isDict: true, start: parts.length, hasComma: false });
        parts.push('{');
      } else return undefined;
    } else if (token in closerByOpener) {
      if (frames.length >= (limits?.depth ?? 1_000)) return undefined;
      if (token === '(') note('tuple', start, at, '[');
      frames.push({ closer: closerByOpener[token] ?? '', isDict: false, start: parts.length, hasComma: false });
      parts.push(token === '(' ? '[' : token);
      isAfterValue = false;
    } else if (token === ',') {
      if (!isAfterValue) return undefined;
      if (frame === undefined) {
        if (!endArgument()) return undefined;
      } else {
        frame.hasComma = true;
        parts.push(',');
        isAfterValue = false;
      }
    } else if (token === '**') {
      if (frame !== undefined || parts.length > 0 || key !== undefined) return undefined;
      isSpread = true;
    } else if (token === ':') {
      if (frame?.closer !== '}') return undefined;
      parts.push(':');
      isAfterValue = false;
    } else if (token === frame?.closer) {
      if (last === ',') parts.pop();
      frames.pop();
      if (frame.collection !== undefined) {
        const json = collectionAsJson(frame.collection, parts.splice(frame.start).slice(1).join(' '));
        if (json === undefined) return undefined;
        parts.push(json);
      } else if (token !== ')' || frame.isDict) parts.push(token === ')' ? '}' : token);
      else if (frame.hasComma || last === '[') parts.push(']');
      else parts[frame.start] = '';
      isAfterValue = true;
    } else if (token === ')' && frame === undefined) {
      if ((isAfterValue || key !== undefined || isSpread) && !endArgument()) return undefined;
      const root = Object.fromEntries(named.flatMap((one) => Object.entries(one)));
      const risk = repairs.some((repair) => repair.risk === 'lossy') ? 'lossy' : 'safe';
      const listed = repairs.slice(0, limits?.repairs ?? 10_000);
      const whole = { failure: undefined, ending: 'closed', hasUncertainEnd: false } as const;
      return { ...whole, root, positional, rootEnd: at, risk, repairs: listed };
    } else if (/^[-+\d]/.test(token)) {
      const number = token.replaceAll('_', '').replace(/^\+|[lLfFdD]$/g, '');
      const isExact = /^-?\d+$/.test(number) ? Number.isSafeInteger(Number(number)) : Number.isFinite(Number(number));
      if (!isExact) return undefined;
      const isText = frames.length === 0 && key !== undefined && isOnlyText(shape?.member(key), 'json');
      parts.push(isText ? JSON.stringify(token) : number);
      isAfterValue = true;
    } else return undefined;
  }
  return undefined;
}

/** Returns whether the schema of an argument lists a word. */
function listsWord(tool: CallableTool | undefined, key: string | undefined, word: string): boolean {
  const { properties } = (tool?.parameters ?? {}) as {
    readonly properties?: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
  };
  return properties?.[key ?? '']?.enum?.includes(word) === true;
}
