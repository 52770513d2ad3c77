import { createValidator } from './document-schema.ts';
import type { DocumentSchema, Validated } from './document-schema.ts';
import { toJsonText } from './json-text.ts';
import type { StoredText } from '../store-driver.ts';
import { StoreError } from '../store-error.ts';

/** Turns a value of one version of a collection's schema into one of the next. */
export type Migration = (value: unknown) => unknown;

/** How the values of one collection become texts, and texts values. */
export interface DocumentCodec<Value> {
  /** What new documents are written in: one more than there are migrations. */
  readonly schemaVersion: number;
  /** The text to store. Rejects with `INVALID_DOCUMENT` or `DOCUMENT_TOO_LARGE`. */
  encode(key: string, value: unknown): Promise<string>;
  /** The value of a stored text, migrated and validated. Throws or rejects with `CORRUPT`, `NEWER_VERSION`, `MIGRATION_FAILED` or `INVALID_DOCUMENT`. */
  decode(stored: StoredText): Value | Promise<Value>;
}

/** Makes the codec of a collection. */
export function createDocumentCodec<Value, Input>(
  collection: string,
  schema: DocumentSchema<Value, Input>,
  migrations: readonly Migration[],
  maxBytes: number,
): DocumentCodec<Value> {
  const validate = createValidator(schema);
  const schemaVersion = migrations.length + 1;

  const migrate = async (stored: StoredText, value: unknown): Promise<Value> => {
    let migrated = value;
    let from = stored.schemaVersion;
    const failed = (what: string, options: ConstructorParameters<typeof StoreError>[2]): StoreError =>
      new StoreError('MIGRATION_FAILED', `${nameOf(collection, stored.key)} ${what}`, options);
    try {
      for (; from < schemaVersion; from += 1) migrated = await migrations[from - 1]?.(migrated);
    } catch (cause) {
      throw failed(`could not be migrated from version ${from} of its schema: ${messageOf(cause)}`, { cause });
    }
    const result = await validate(migrated);
    if (result.ok) return result.value;
    throw failed(`was migrated to something that doesn't fit its schema: ${render(result)}`, result);
  };

  const accept = (stored: StoredText, result: Validated<Value>): Value => {
    if (result.ok) return result.value;
    const what = `${nameOf(collection, stored.key)} no longer fits its schema: ${render(result)}`;
    throw new StoreError('INVALID_DOCUMENT', what, result);
  };

  return {
    schemaVersion,
    async encode(key, value) {
      const result = await validate(value);
      if (result.ok) return toJsonText(result.value, maxBytes);
      const what = `the value for ${nameOf(collection, key)} doesn't fit its schema: ${render(result)}`;
      throw new StoreError('INVALID_DOCUMENT', what, result);
    },
    decode(stored) {
      const value = parse(collection, stored);
      if (stored.schemaVersion < schemaVersion) return migrate(stored, value);
      if (stored.schemaVersion > schemaVersion) {
        throw createNewerVersionError(collection, stored.key, stored.schemaVersion, schemaVersion);
      }
      const result = validate(value);
      return result instanceof Promise ? result.then((awaited) => accept(stored, awaited)) : accept(stored, result);
    },
  };
}

/** The error for a document that only a newer program understands. */
export function createNewerVersionError(collection: string, key: string, found: number, known: number): StoreError {
  const what = `${nameOf(collection, key)} has version ${found} of its schema, and this program knows ${known}`;
  return new StoreError('NEWER_VERSION', what);
}

function parse(collection: string, { key, text }: StoredText): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new StoreError('CORRUPT', `${nameOf(collection, key)} holds no JSON`, { cause });
  }
}

function nameOf(collection: string, key: string): string {
  return `${JSON.stringify(key)} of ${collection}`;
}

function render(result: Validated<unknown>): string {
  return result.ok ? '' : result.issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
