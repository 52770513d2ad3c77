/** How a format writes a call whose arguments are a tag each. Patterns are sticky and without unbounded repetition. */
export interface TaggedLayout {
  /** What opens a call; group 1 or 2 is the name. */
  readonly call: RegExp;
  readonly callCloser: string;
  /** What opens an argument; group 1 is the key, group 2 the type where the tag says it. */
  readonly argument: RegExp;
  /** The texts that every argument's opener begins with. */
  readonly argumentOpener: string;
  readonly argumentCloser: string | ((key: string) => string);
  /** Other ways in which models write the format's arguments, tried where no `argument` stands. */
  readonly dialects?: readonly ArgumentDialect[];
  /** The text before every tag of a nested value, where values nest by tags. */
  readonly nestedPrefix?: string;
  /** Whether text in which nothing but entities stands for signs is read as XML. */
  readonly hasEntities?: boolean;
  /** What of the white space around a value belongs to the format. */
  readonly trim: 'line-breaks' | 'all' | 'none';
  /** What text becomes that no schema speaks of. */
  readonly unknown: 'string' | 'json';
}

/** Another way to write an argument. */
interface ArgumentDialect {
  /** What opens it; group 1 is the key. */
  readonly argument: RegExp;
  /** What closes it; without one, the next tag of the call does. */
  readonly closer?: string | ((key: string) => string);
  /** Whether only a declared argument may be written like that. */
  readonly isDeclared?: boolean;
}

/** A layout with the sections that its calls may stand in. */
export interface SectionLayout extends TaggedLayout {
  readonly sectionOpeners: readonly string[];
  readonly sectionClosers: readonly string[];
}

/** Whether the closer of an argument says which argument it closes. */
export function hasNamedClosers({ argumentCloser }: TaggedLayout): boolean {
  return typeof argumentCloser !== 'string';
}

/** What closes the argument of a key. */
export function closerOf({ argumentCloser }: TaggedLayout, key: string): string {
  return typeof argumentCloser === 'string' ? argumentCloser : argumentCloser(key);
}

/** The text of a value as it stands between its tags, without what belongs to the format. */
export function trimValue(text: string, trim: TaggedLayout['trim']): string {
  const inner = text.trim();
  if (inner.startsWith('<![CDATA[') && inner.endsWith(']]>')) return inner.slice(9, -3);
  if (trim === 'all') return inner;
  return trim === 'none' ? text : text.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
}
