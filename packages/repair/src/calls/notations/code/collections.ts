import { isJsonObject, type JsonValue } from '../../../json/result/json-value.ts';
import { parseJson } from '../../source/parse-json.ts';

/** A collection that a program constructs: `new ArrayList<>(…)`, `Map.of(…)`, `new int[]{…}`. */
export interface Collection {
  readonly kind: 'list' | 'copy' | 'map';
  readonly closer: ')' | '}';
  /** The offset after its opening bracket. */
  readonly end: number;
}

const generics = String.raw`\s?(?:<[\w\s,.<>?[\]]{0,80}>)?\s?\(`;
const path = String.raw`(?:[A-Za-z_]\w{0,40}\.){0,4}`;

const kinds: readonly (readonly [Collection['kind'], RegExp])[] = [
  ['list', new RegExp(String.raw`${path}(?:asList|List\.of|Set\.of|Array\.of)\s?\(`, 'y')],
  ['list', /new\s+[A-Za-z_][\w.]{0,80}\s?(?:\[\s?\]\s?){1,4}\{/y],
  ['map', new RegExp(String.raw`(?:${path}Map\.(?:of|ofEntries)|new\s+${path}\w{0,20}Map)${generics}`, 'y')],
  ['copy', new RegExp(String.raw`new\s+${path}(?:\w{0,20}(?:List|Set|Array|Vector|Deque|Queue))${generics}`, 'y')],
  ['copy', /(?:set|list|tuple|frozenset|deque)\s?\(/y],
];

/** Reads the beginning of a collection at an offset. */
export function readCollection(text: string, at: number): Collection | undefined {
  for (const [kind, pattern] of kinds) {
    pattern.lastIndex = at;
    if (pattern.test(text)) {
      return { kind, closer: text[pattern.lastIndex - 1] === '{' ? '}' : ')', end: pattern.lastIndex };
    }
  }
  return undefined;
}

/** Returns the JSON of a collection, given the JSON of its items. */
export function collectionAsJson(kind: Collection['kind'], items: string): string | undefined {
  const values = parseJson(`[${items}]`);
  if (!Array.isArray(values)) return undefined;
  const [only = null] = values as readonly JsonValue[];
  if (kind === 'list' || values.length === 0) return kind === 'map' ? '{}' : `[${items}]`;
  if (kind === 'copy') return values.length > 1 ? `[${items}]` : Array.isArray(only) ? items : undefined;
  if (values.length === 1) return isJsonObject(only) ? items : entriesAsJson(only);
  const pairs = (values as readonly JsonValue[]).flatMap((key, index, all) =>
    index % 2 === 0 ? [[key, all[index + 1] ?? null]] : [],
  );
  return values.length % 2 === 0 ? entriesAsJson(pairs) : undefined;
}

function entriesAsJson(entries: JsonValue): string | undefined {
  const arePairs =
    Array.isArray(entries) &&
    entries.every((entry) => Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string');
  return arePairs
    ? JSON.stringify(Object.fromEntries(entries as unknown as (readonly [string, JsonValue])[]))
    : undefined;
}
