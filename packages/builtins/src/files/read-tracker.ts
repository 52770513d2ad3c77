import { numberKind, checkOptions, type OptionTable } from '@haft/core/options';
import { invalidOption } from '../builtins-error.ts';

/** The content of a file when it was last read or written. */
export interface ReadRecord {
  /** The hash of the whole content, as returned by `hashContent` of `@haft/sandbox`. */
  readonly hash: string;
  /** The content as text, if the tracker has room. Used to show a conflict as a diff. */
  readonly text?: string;
  /** Earlier contents, latest first, if the tracker has room. */
  readonly earlier?: readonly string[];
}

/** Number of earlier contents to store. Models still refer to lines as they first read them, even after ten edits. */
const maxEarlier = 12;

/** Records, per session, which files a model has seen and with which content. */
export interface ReadTracker {
  /** Records that a session has seen this content of the file (its real absolute path). */
  record(sessionId: string, path: string, seen: ReadRecord): void;
  /** Returns what the session last saw of the file. */
  get(sessionId: string, path: string): ReadRecord | undefined;
  /** Forgets one file of a session, or all of them. */
  forget(sessionId: string, path?: string): void;
}

/** Limits of a tracker. It drops the least recently used records first. */
export interface ReadTrackerOptions {
  /** Maximum number of files, for all sessions together; default 10,000. */
  readonly maxFiles?: number;
  /** Maximum number of stored characters, for all files together; default 16,000,000. */
  readonly maxCharacters?: number;
}

const table: OptionTable<ReadTrackerOptions> = {
  maxFiles: numberKind({ min: 0 }),
  maxCharacters: numberKind({ min: 0 }),
};

/**
 * Creates an empty tracker. To share it, pass it to these tools and use it in your own tools that read or write files.
 *
 * @throws BuiltinsError `INVALID_OPTION` for a limit that is negative or not a number.
 * @example
 * import { createReadTool, createReadTracker, createWriteTool } from '@haft/builtins';
 * const readTracker = createReadTracker();
 * const tools = [createReadTool({ readTracker }), createWriteTool({ readTracker })]; // what one has read, the other may overwrite
 * tools.map(({ name }) => name); // => ['read', 'write']
 */
export function createReadTracker(options: ReadTrackerOptions = {}): ReadTracker {
  checkOptions('createReadTracker', options, table, '{ maxFiles: 1000 }', invalidOption);
  const { maxFiles = 10_000, maxCharacters = 16_000_000 } = options;
  // In order of last use. One map for all sessions keeps the limits simple.
  const records = new Map<string, ReadRecord>();
  let characters = 0;
  const keyOf = (sessionId: string, path: string): string => `${sessionId}\0${path}`;

  const remove = (key: string): void => {
    characters -= sizeOf(records.get(key));
    records.delete(key);
  };
  const dropTexts = (): void => {
    for (const [key, { earlier, ...record }] of records) {
      if (characters <= maxCharacters) return;
      if (earlier === undefined) continue;
      characters -= sizeOf({ hash: '', earlier });
      records.set(key, record);
    }
    for (const [key, record] of records) {
      if (characters <= maxCharacters) return;
      if (record.text === undefined) continue;
      characters -= sizeOf(record);
      records.set(key, { hash: record.hash });
    }
  };

  return {
    record(sessionId, path, seen) {
      const key = keyOf(sessionId, path);
      const record = { ...seen, ...recall(records.get(key), seen) };
      remove(key);
      records.set(key, record);
      characters += sizeOf(record);
      for (const oldest of records.keys()) {
        if (records.size <= maxFiles) break;
        remove(oldest);
      }
      dropTexts();
    },
    get: (sessionId, path) => records.get(keyOf(sessionId, path)),
    forget(sessionId, path) {
      if (path !== undefined) return remove(keyOf(sessionId, path));
      for (const key of records.keys()) if (key.startsWith(`${sessionId}\0`)) remove(key);
    },
  };
}

/** Returns the earlier contents, if the file has other content now. */
function recall(before: ReadRecord | undefined, { hash }: ReadRecord): Pick<ReadRecord, 'earlier'> {
  if (before?.text === undefined) return {};
  const earlier = before.hash === hash ? (before.earlier ?? []) : [before.text, ...(before.earlier ?? [])];
  return earlier.length === 0 ? {} : { earlier: earlier.slice(0, maxEarlier) };
}

function sizeOf(record: ReadRecord | undefined): number {
  return [record?.text ?? '', ...(record?.earlier ?? [])].reduce((sum, text) => sum + text.length, 0);
}
