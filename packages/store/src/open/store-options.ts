import type { WarningListener } from '../warning.ts';
import type { StoreDriver } from '../store-driver.ts';
import { StoreError } from '../store-error.ts';

/** Options of a store. */
export interface StoreOptions {
  /**
   * The location of the store:
   *
   * - `memory:`: in memory, until the store is closed;
   * - `file:haft.db`: a SQLite file, relative to the working directory, created if missing; any number of programs on
   *   one machine can use it at the same time;
   * - `postgres://user@host/database`: shared by many hosts; requires the package `pg`.
   */
  readonly url?: string;
  /** A custom driver, instead of `url`. */
  readonly driver?: StoreDriver;
  /** Maximum size of a document, in bytes of JSON. Default 1 MiB. */
  readonly maxDocumentBytes?: number;
  /** Maximum wait for a lock or server, in milliseconds, before a call fails with `UNAVAILABLE`. Default 5,000. */
  readonly timeoutMs?: number;
  /**
   * How to handle a damaged file: `set-aside` (default) renames it, reports a warning and creates a new one; `fail`
   * leaves it unchanged and rejects with `CORRUPT`.
   */
  readonly onCorrupt?: 'set-aside' | 'fail';
  /** Receives warnings. Default: Node process warnings on standard error. */
  readonly onWarning?: WarningListener;
}

type Kind = readonly [expected: string, isValid: (value: unknown) => boolean];

const count: Kind = ['a whole number from 1', (value) => Number.isSafeInteger(value) && (value as number) >= 1];
/** Values are never shown, because a URL can contain a password. */
const kinds: Readonly<Record<keyof StoreOptions, Kind>> = {
  url: ['a URL such as "file:haft.db"', (value) => typeof value === 'string'],
  driver: ['a StoreDriver', (value) => typeof value === 'object' && value !== null],
  maxDocumentBytes: count,
  timeoutMs: count,
  onCorrupt: ['"set-aside" or "fail"', (value) => value === 'set-aside' || value === 'fail'],
  onWarning: ['a function', (value) => typeof value === 'function'],
};

/**
 * Checks for missing, unknown and invalid options.
 *
 * @throws StoreError `INVALID_OPTION`.
 */
export function checkStoreOptions(options: StoreOptions): void {
  const refuse = (problem: string): never => {
    throw new StoreError('INVALID_OPTION', `createStore: ${problem}`);
  };
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    refuse(`its argument is not valid (expected an object such as { url: 'memory:' }, got ${typeName(options)})`);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const kind = Object.hasOwn(kinds, name) ? kinds[name as keyof StoreOptions] : undefined;
    if (kind === undefined) return refuse(describeUnknown(name));
    const [expected, isValid] = kind;
    if (!isValid(value)) refuse(`${name} is not valid (expected ${expected}, got ${typeName(value)})`);
  }
  if ((options.url === undefined) === (options.driver === undefined))
    refuse('url and driver are both missing or both given (expected exactly one of them)');
}

function describeUnknown(name: string): string {
  const known = Object.keys(kinds);
  const fold = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  const given = fold(name);
  const nearest = known.find((one) => isTypo(given, fold(one)));
  const meant = nearest === undefined ? `expected one of ${known.join(', ')}` : `did you mean ${nearest}?`;
  return `${JSON.stringify(name.slice(0, 60))} is not an option (${meant})`;
}

/** Returns true if two words differ in at most two adjacent letters, or one is a prefix of the other. */
function isTypo(a: string, b: string): boolean {
  if (a.length > 2 && (b.startsWith(a) || a.startsWith(b))) return true;
  let from = 0;
  while (from < Math.min(a.length, b.length) && a[from] === b[from]) from += 1;
  let to = 0;
  while (to < Math.min(a.length, b.length) - from && a.at(-1 - to) === b.at(-1 - to)) to += 1;
  return Math.max(a.length, b.length) - from - to <= 2 && from + to > 1;
}

function typeName(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return String(value);
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
