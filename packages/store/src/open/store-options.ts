import type { NoticeListener } from '../notice.ts';
import type { StoreDriver } from '../store-driver.ts';
import { StoreError } from '../store-error.ts';

/** Where a store is, and how it behaves. */
export interface StoreOptions {
  /**
   * - `memory:` until it is closed;
   * - `file:haft.db`: a SQLite file, relative to the working directory, made where there is none; any number of programs
   *   on one machine may use it at once;
   * - `postgres://user@host/database`: shared by many hosts; needs the package `pg`.
   */
  readonly url?: string;
  /** A driver of your own, instead of `url`. */
  readonly driver?: StoreDriver;
  /** The largest document, in bytes of JSON; 1 MiB unless told otherwise. */
  readonly maxDocumentBytes?: number;
  /** How long a call may wait for a lock or a server before it fails with `UNAVAILABLE`; 5,000 ms unless told otherwise. */
  readonly timeoutMs?: number;
  /**
   * What to do with a file that is damaged: rename it, report that and begin a new one (`set-aside`), or leave it alone
   * and reject with `CORRUPT` (`fail`).
   */
  readonly onCorrupt?: 'set-aside' | 'fail';
  /** Hears what fails no call; without it, Node's warnings on standard error do. */
  readonly onNotice?: NoticeListener;
}

type Kind = readonly [expected: string, isRight: (value: unknown) => boolean];

const count: Kind = ['a whole number from 1', (value) => Number.isSafeInteger(value) && (value as number) >= 1];
/** An address may hold a password, so that no value is ever shown. */
const kinds: Readonly<Record<keyof StoreOptions, Kind>> = {
  url: ['an address such as "file:haft.db"', (value) => typeof value === 'string'],
  driver: ['a StoreDriver', (value) => typeof value === 'object' && value !== null],
  maxDocumentBytes: count,
  timeoutMs: count,
  onCorrupt: ['"set-aside" or "fail"', (value) => value === 'set-aside' || value === 'fail'],
  onNotice: ['a function', (value) => typeof value === 'function'],
};

/**
 * Refuses options that are missing, misspelt or of the wrong kind.
 * @throws StoreError `INVALID_OPTION`.
 */
export function checkStoreOptions(options: StoreOptions): void {
  const refuse = (what: string): never => {
    throw new StoreError('INVALID_OPTION', `createStore: ${what}`);
  };
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    refuse(`its argument is not valid (expected an object such as { url: 'memory:' }, got ${typeName(options)})`);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const kind = Object.hasOwn(kinds, name) ? kinds[name as keyof StoreOptions] : undefined;
    if (kind === undefined) return refuse(describeUnknown(name));
    const [expected, isRight] = kind;
    if (!isRight(value)) refuse(`${name} is not valid (expected ${expected}, got ${typeName(value)})`);
  }
  if ((options.url === undefined) === (options.driver === undefined))
    refuse('url is missing or given beside driver (expected either a url or a driver)');
}

function describeUnknown(name: string): string {
  const known = Object.keys(kinds);
  const fold = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  const given = fold(name);
  const nearest = known.find((one) => isSlip(given, fold(one)));
  const meant = nearest === undefined ? `expected one of ${known.join(', ')}` : `did you mean ${nearest}?`;
  return `${JSON.stringify(name.slice(0, 60))} is not an option (${meant})`;
}

/** Tells whether two words differ by a few neighbouring letters alone, or one begins the other. */
function isSlip(a: string, b: string): boolean {
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
