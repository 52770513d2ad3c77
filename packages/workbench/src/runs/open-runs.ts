import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  absolutePathKind,
  checkOptions,
  described,
  functionKind,
  integerKind,
  required,
  type OptionTable,
} from '@haft/core/options';
import { createChangeSignal, type ChangeSignal } from '../contract/change-signal.ts';
import type { RunSummary } from '../contract/run-data.ts';
import { summarizeRun } from './describe-run.ts';
import { parseRecording } from './recording.ts';
import type { ReplayRun } from './replay-recording.ts';

/** Options of {@link openRuns}. */
export interface RunsOptions {
  /** Absolute path of the directory with the recordings. It is created if it is missing. */
  readonly directory: string;
  /** Pass `replayRun` of `@haft/runner`. Without it, the page can't replay runs. */
  readonly replay?: ReplayRun;
  /** Maximum number of recordings. The oldest are deleted when a new one begins. Default: 200. */
  readonly maxRuns?: number;
}

/** Recordings of runs in a directory. They hold the conversation and all results unredacted. */
export interface RunStore extends Pick<ChangeSignal, 'onChange'> {
  /** Starts a recording. Pass the returned function to `recordRun` of `@haft/runner` as `write`. */
  begin(): (line: string) => void;
  /** Lists the recordings, newest first. Files that are not recordings are left out. */
  list(): Promise<readonly RunSummary[]>;
  /** Returns the IDs of the recordings that hold a text, in any letter case. */
  search(text: string): Promise<readonly string[]>;
  /** Reads a recording. Returns undefined if it does not exist. */
  read(id: string): Promise<{ readonly text: string; readonly savedAt: number } | undefined>;
  /**
   * Adds a recording that was made elsewhere, and returns its ID.
   *
   * @throws Error if the text is not a recording.
   */
  add(text: string): Promise<string>;
  readonly replay: ReplayRun | undefined;
}

const table: OptionTable<RunsOptions> = {
  directory: required(described('the absolute path of a folder', absolutePathKind)),
  replay: functionKind,
  maxRuns: integerKind({ min: 1 }),
};

const ending = '.jsonl';

/**
 * Opens a directory with recorded runs for the page Runs.
 *
 * @throws HaftError `INVALID_OPTION`; the system's error if the directory can't be created.
 */
export function openRuns(options: RunsOptions): RunStore {
  checkOptions('openRuns', options, table, '{ directory }');
  const { directory, replay, maxRuns = 200 } = options;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { notify, onChange } = createChangeSignal();
  /** Summaries by file, with the version of the file. */
  const known = new Map<string, { readonly version: string; readonly summary: RunSummary }>();
  const pathOf = (id: string): string => join(directory, `${id}${ending}`);

  const summarize = async (id: string): Promise<RunSummary | undefined> => {
    try {
      const { mtimeMs, size } = await stat(pathOf(id));
      const version = `${mtimeMs} ${size}`;
      const before = known.get(id);
      if (before?.version === version) return before.summary;
      const summary = summarizeRun(id, mtimeMs, parseRecording(await readFile(pathOf(id), 'utf8')));
      known.set(id, { version, summary });
      return summary;
    } catch {
      return undefined;
    }
  };
  const listIds = async (): Promise<readonly string[]> =>
    (await readdir(directory)).filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
  const dropOldest = async (): Promise<void> => {
    const ids = (await listIds()).toSorted();
    await Promise.all(
      ids.slice(0, Math.max(0, ids.length - maxRuns)).map((id) => {
        known.delete(id);
        return rm(pathOf(id), { force: true });
      }),
    );
  };

  return {
    onChange,
    replay,
    begin() {
      const path = pathOf(createId());
      void dropOldest().catch(() => undefined);
      return (line) => {
        appendFileSync(path, `${line}\n`, { mode: 0o600 });
        notify();
      };
    },
    async list() {
      const summaries = await Promise.all((await listIds()).map(summarize));
      return summaries.filter((one) => one !== undefined).toSorted((a, b) => b.startedAt - a.startedAt);
    },
    async search(text) {
      // Searches for the JSON form of the text, because a recording is JSON.
      const wanted = JSON.stringify(text).slice(1, -1).toLowerCase();
      const found: string[] = [];
      // Reads one recording at a time, to limit memory.
      for (const id of await listIds()) {
        const recording = await readFile(pathOf(id), 'utf8').catch(() => '');
        if (recording.toLowerCase().includes(wanted)) found.push(id);
      }
      return found;
    },
    async read(id) {
      // Any other ID could name a file outside the directory.
      if (!/^[\w-]+$/.test(id)) return undefined;
      try {
        const { mtimeMs } = await stat(pathOf(id));
        return { text: await readFile(pathOf(id), 'utf8'), savedAt: mtimeMs };
      } catch {
        return undefined;
      }
    },
    async add(text) {
      parseRecording(text);
      const id = createId();
      await writeFile(pathOf(id), text, { mode: 0o600, flag: 'wx' });
      await dropOldest();
      notify();
      return id;
    },
  };
}

/** IDs sort by time. */
function createId(): string {
  return `${new Date().toISOString().replaceAll(/\D/g, '')}-${randomBytes(4).toString('hex')}`;
}
