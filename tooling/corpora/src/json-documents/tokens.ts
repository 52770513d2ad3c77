import type { JsonValue } from '@haft/repair';

/** The layout of a document. */
export interface Layout {
  /** `compact` has no spaces, `spaced` has one after colons and commas; otherwise the indent of each level. */
  readonly spacing: 'compact' | 'spaced' | '  ' | '    ';
  /** Whether all non-ASCII characters are written as `\uXXXX`. */
  readonly ascii: boolean;
}

export type TokenKind =
  | 'open'
  | 'close'
  | 'comma'
  | 'colon'
  | 'key'
  | 'string'
  | 'number'
  | 'word'
  | 'space'
  | 'inserted';

/** One token of a written document. */
export interface Token {
  readonly kind: TokenKind;
  /** Its text in the document. */
  readonly text: string;
  /** Its text in an undamaged document; empty for a token that a damage inserted. */
  readonly original: string;
  /** The value of a key, string, number or word. */
  readonly value?: string | number | boolean | null;
  /** Number of open containers around it; a container's own brackets count. */
  readonly depth: number;
  /** Number of the container that holds it; a container's own brackets carry its number. */
  readonly container: number;
}

/** Writes a value as tokens that, joined, are valid JSON. */
export function writeTokens(value: JsonValue, layout: Layout): readonly Token[] {
  const tokens: Token[] = [];
  let containers = 0;
  const indented = layout.spacing !== 'compact' && layout.spacing !== 'spaced';
  const add = (kind: TokenKind, text: string, depth: number, container: number, meaning?: Token['value']): void => {
    tokens.push({ kind, text, original: text, depth, container, ...(meaning === undefined ? {} : { value: meaning }) });
  };
  const addBreak = (depth: number, container: number): void => {
    if (indented) add('space', `\n${layout.spacing.repeat(depth)}`, depth, container);
  };
  const write = (item: JsonValue, depth: number, parent: number): void => {
    if (typeof item === 'string') return add('string', writeString(item, layout.ascii), depth, parent, item);
    if (typeof item === 'number') return add('number', JSON.stringify(item), depth, parent, item);
    if (item === null || typeof item === 'boolean') return add('word', String(item), depth, parent, item);
    const container = (containers += 1);
    const isList = Array.isArray(item);
    const members: readonly (readonly [string, JsonValue])[] = isList
      ? (item as readonly JsonValue[]).map((member) => ['', member] as const)
      : Object.entries(item);
    add('open', isList ? '[' : '{', depth + 1, container);
    for (const [index, [key, member]] of members.entries()) {
      if (index > 0) {
        add('comma', ',', depth + 1, container);
        if (layout.spacing === 'spaced') add('space', ' ', depth + 1, container);
      }
      addBreak(depth + 1, container);
      if (!isList) {
        add('key', writeString(key, layout.ascii), depth + 1, container, key);
        add('colon', ':', depth + 1, container);
        if (layout.spacing !== 'compact') add('space', ' ', depth + 1, container);
      }
      write(member, depth + 1, container);
    }
    if (members.length > 0) addBreak(depth, container);
    add('close', isList ? ']' : '}', depth + 1, container);
  };
  write(value, 0, 0);
  return tokens;
}

/** Returns a JSON string of the text. */
export function writeString(text: string, ascii: boolean): string {
  const written = JSON.stringify(text);
  if (!ascii) return written;
  return written.replaceAll(/[\u007F-\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns the text of the document. */
export function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join('');
}

/** Splits the content of a JSON string into escapes and characters: `\n`, `\u0041`, `x`. */
export function unitsOf(written: string): readonly string[] {
  return written.slice(1, -1).match(/\\u[\da-fA-F]{4}|\\.|[^\\]/gsu) ?? [];
}
