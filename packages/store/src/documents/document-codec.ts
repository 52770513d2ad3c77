import { createValidator } from './document-schema.ts';
import type { DocumentSchema, Validated } from './document-schema.ts';
import { toJsonText } from './json-text.ts';
import type { StoredText } from '../store-driver.ts';
import { StoreError } from '../store-error.ts';

/** Converts a value from one version of a collection's schema to the next. */
export type Migration = (value: unknown) => unknown;

/** Converts the values of one collection to stored text and back. */
export interface DocumentCodec<Value> {
  /** The schema version of new documents: the number of migrations plus one. */
  readonly schemaVersion: number;
  /** Returns the text to store. Rejects with `INVALID_DOCUMENT` or `DOCUMENT_TOO_LARGE`. */
  encode(key: string, value: unknown): Promise<string>;
  /**
   * Returns the migrated and validated value of a stored text. Throws or rejects with `CORRUPT`, `NEWER_VERSION`,
   * `MIGRATION_FAILED` or `INVALID_DOCUMENT`.
   */
  decode(stored: StoredText): Value | Promise<Value>;
}

/** Creates the codec of a collection. */
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
    const failed = (message: string, options: ConstructorParameters<typeof StoreError>[2]): StoreError =>
      new StoreError('MIGRATION_FAILED', `${nameOf(collection, stored.key)} ${message}`, options);
    try {
      for (; from < schemaVersion; from += 1) migrated = await migrations[from - 1]?.(migrated);
    } catch (cause) {
      throw failed(`cannot be migrated from schema version ${from}: ${messageOf(cause)}`, { cause });
    }
    const result = await validate(migrated);
    if (result.ok) return result.value;
    throw failed(`does not match its schema after the migration: ${render(result)}`, result);
  };

  const accept = (stored: StoredText, result: Validated<Value>): Value => {
    if (result.ok) return result.value;
    const message = `${nameOf(collection, stored.key)} no longer matches its schema: ${render(result)}`;
    throw new StoreError('INVALID_DOCUMENT', message, result);
  };

  return {
    schemaVersion,
    async encode(key, value) {
      const result = await validate(value);
      if (result.ok) return toJsonText(result.value, maxBytes);
      const message = `the value for ${nameOf(collection, key)} does not match its schema: ${render(result)}`;
      throw new StoreError('INVALID_DOCUMENT', message, result);
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

/** Creates the error for a document that only a newer program can read. */
export function createNewerVersionError(collection: string, key: string, found: number, known: number): StoreError {
  const message = `${nameOf(collection, key)} has schema version ${found}, but this program supports ${known}`;
  return new StoreError('NEWER_VERSION', message);
}

function parse(collection: string, { key, text }: StoredText): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new StoreError('CORRUPT', `${nameOf(collection, key)} is not valid JSON`, { cause });
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
