import { matchEnd } from '../../../json/text/characters.ts';
import { isJsonObject, type JsonValue } from '../../../json/result/json-value.ts';

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

export function readCollection(text: string, at: number): Collection | undefined {
  for (const [kind, pattern] of kinds) {
    const end = matchEnd(pattern, text, at);
    if (end !== -1) return { kind, closer: text[end - 1] === '{' ? '}' : ')', end };
  }
  return undefined;
}

export function collectionOf(kind: Collection['kind'], items: readonly JsonValue[]): JsonValue | undefined {
  const [only = null] = items;
  if (items.length === 0) return kind === 'map' ? {} : [];
  if (kind === 'list') return items;
  if (kind === 'copy') return items.length > 1 ? items : Array.isArray(only) ? only : undefined;
  if (items.length === 1 && isJsonObject(only)) return only;
  const pairs = items.flatMap((key, index) => (index % 2 === 0 ? [[key, items[index + 1]]] : []));
  const entries: unknown = items.length === 1 ? only : pairs;
  return Array.isArray(entries) && entries.every(isEntry) ? Object.fromEntries(entries) : undefined;
}

function isEntry(entry: unknown): entry is readonly [string, JsonValue] {
  return Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string' && entry[1] !== undefined;
}
