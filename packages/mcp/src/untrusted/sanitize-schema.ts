import { cleanText, replaceFenceTags } from '@haft/sandbox';
import { cleanLine, cutBytes } from './clean-text.ts';

/** Limits on the schemas of servers. */
export interface SchemaLimits {
  /** Maximum size in bytes. A larger schema is refused. */
  readonly maxSchemaBytes: number;
  /** Maximum size of a nested description in bytes. A longer one is cut. */
  readonly maxDescriptionBytes: number;
}

/** A schema that is safe to show to a model, or the reason why it was refused. */
export type SanitizedSchema =
  | {
      readonly ok: true;
      readonly schema: Readonly<Record<string, unknown>>;
      /** Whether characters were removed or text was cut. */
      readonly changed: boolean;
    }
  | { readonly ok: false; readonly kind: 'large-schema' | 'invalid-tool'; readonly reason: string };

const maxDepth = 128;
const maxNameCharacters = 256;
const maxTitleCharacters = 200;
const maxStringBytes = 1_024;

/** Meaning of an object's members: keywords, names chosen by the server, or plain data. */
type MemberKind = 'schema' | 'names' | 'data';

const namesBelow: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const dataBelow: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example']);
/**
 * Data that is only an illustration. It is dropped if it is too long, because a cut value would be a different value.
 */
const illustrations: ReadonlySet<string> = new Set(['default', 'examples', 'example']);

/**
 * Sanitizes a server's schema for display. Removes hidden characters and terminal sequences from all names and strings,
 * cuts descriptions, and drops long defaults and examples. Refuses a schema that is too deep or too large, has overlong
 * names or values, or has names that differ only in hidden characters. Takes linear time.
 */
export function sanitizeSchema(given: unknown, { maxSchemaBytes, maxDescriptionBytes }: SchemaLimits): SanitizedSchema {
  let budget = maxSchemaBytes;
  let changed = false;
  const spend = (amount: number): void => {
    budget -= amount;
    if (budget < 0) throw new Refused('large-schema', `its schema is larger than ${maxSchemaBytes} bytes`);
  };
  const note = (before: string, after: string): string => {
    if (before !== after) changed = true;
    return after;
  };

  const sanitizeText = (text: string, keyword: string, kind: MemberKind): string | undefined => {
    spend(text.length);
    const clean = cleanText(text);
    if (kind === 'schema' && keyword === 'title')
      return note(text, replaceFenceTags(cleanLine(text, maxTitleCharacters)));
    if (kind === 'schema' && (keyword === 'description' || keyword === '$comment'))
      return note(text, cutBytes(replaceFenceTags(clean), maxDescriptionBytes));
    // A pattern without its hidden characters is a different pattern. The server still applies its own pattern.
    if (kind === 'schema' && keyword === 'pattern') return clean === text ? text : void (changed = true);
    if (Buffer.byteLength(clean) > maxStringBytes)
      throw new Refused('invalid-tool', `a text in its schema is longer than ${maxStringBytes} bytes`);
    return note(text, clean);
  };

  const sanitize = (value: unknown, keyword: string, kind: MemberKind, depth: number): unknown => {
    spend(1);
    if (typeof value === 'string') return sanitizeText(value, keyword, kind);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > maxDepth) throw new Refused('invalid-tool', `its schema is nested more than ${maxDepth} levels deep`);
    if (Array.isArray(value)) return value.map((item) => sanitize(item, keyword, kind, depth + 1) ?? null);
    const sanitized = new Map<string, unknown>();
    for (const [key, member] of Object.entries(value)) {
      spend(key.length);
      const name = note(key, cleanText(key));
      if (name.length > maxNameCharacters)
        throw new Refused('invalid-tool', `a name in its schema is longer than ${maxNameCharacters} characters`);
      if (sanitized.has(name))
        throw new Refused('invalid-tool', 'two names in its schema differ only in hidden characters');
      const below = kind === 'data' ? 'data' : kind === 'names' ? 'schema' : kindBelow(name);
      const kept = sanitizeMember(member, name, below, kind, depth + 1);
      if (kept === undefined) changed = true;
      else sanitized.set(name, kept);
    }
    return Object.fromEntries(sanitized);
  };

  const sanitizeMember = (
    member: unknown,
    name: string,
    below: MemberKind,
    kind: MemberKind,
    depth: number,
  ): unknown => {
    if (kind !== 'schema' || !illustrations.has(name)) return sanitize(member, name, below, depth);
    try {
      return sanitize(member, name, below, depth);
    } catch (error) {
      if (error instanceof Refused && error.kind === 'invalid-tool') return undefined;
      throw error;
    }
  };

  try {
    const schema = sanitize(given, '', 'schema', 0) as Readonly<Record<string, unknown>>;
    if (Buffer.byteLength(JSON.stringify(schema)) > maxSchemaBytes) spend(Infinity);
    return { ok: true, schema, changed };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ok: false, kind: error.kind, reason: error.reason };
  }
}

function kindBelow(keyword: string): MemberKind {
  return namesBelow.has(keyword) ? 'names' : dataBelow.has(keyword) ? 'data' : 'schema';
}

/** Thrown to end the walk. */
class Refused {
  readonly kind: 'large-schema' | 'invalid-tool';
  readonly reason: string;
  constructor(kind: 'large-schema' | 'invalid-tool', reason: string) {
    this.kind = kind;
    this.reason = reason;
  }
}
