import { AsyncLocalStorage } from 'node:async_hooks';
import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { silentLogger, type CallInfo, type ToolResult } from '@haft/core';
import { describeCause, fileEffects } from '@haft/core/results';
import { describeMismatches, compareReport, resolveEffects, toEffects } from '../record/compare-recorded-changes.ts';
import { openContentStore, type ContentStore } from '../content/content-store.ts';
import { diffChange } from '../undo/diff-change.ts';
import type { EntryState } from '../entry-state.ts';
import type { JournalScope } from '../record/history.ts';
import { JournalError } from '../journal-error.ts';
import { openJournalLog, type JournalLog } from '../log/journal-log.ts';
import { checkJournalOptions, type JournalEvent, type JournalOptions } from './journal-options.ts';
import type { Journal } from './journal.ts';
import { lockFolder } from '../log/lock-log-folder.ts';
import { nameChanges } from '../record/net-changes.ts';
import { isAtOrBelow } from '../path-names.ts';
import { chooseWatch, planWatch, type WatchPlan } from '../record/plan-watch.ts';
import { findFolders, Recorder } from '../record/recorder.ts';
import { previewUndo, undo } from '../undo/undo.ts';

/**
 * Opens the journal of a workspace. It records the actual changes of each call, compares them with the call's report,
 * and can undo a call, a turn or a run. Records survive a restart. Changes found after a crash are attributed to the
 * calls that were running.
 *
 * @throws JournalError `INVALID_JOURNAL_OPTION`; `JOURNAL_IN_USE` if another process uses the directory;
 * `JOURNAL_UNREADABLE`.
 */
export async function createJournal(options: JournalOptions): Promise<Journal> {
  checkJournalOptions(options);
  const { workspace, maxFileBytes = 10_000_000, maxStoreBytes = 1_073_741_824, maxCalls = 1_000 } = options;
  const { cwd, writeRoots } = workspace;
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const directory = realpathSync(options.directory);
  chmodSync(directory, 0o700);
  const folders = await findFolders(writeRoots, cwd);
  const unlock = lockFolder(directory);

  const notify = (event: JournalEvent): void => {
    try {
      if (event.type === 'problem') (workspace.logger ?? silentLogger).warn(`journal: ${event.message}`);
      options.onEvent?.(event);
    } catch {
      // A listener must not break a call.
    }
  };
  const open = (): { readonly contents: ContentStore; readonly recorder: Recorder; readonly log: JournalLog } => {
    const contents = openContentStore(directory, maxStoreBytes);
    const log = openJournalLog(directory);
    const recorder = new Recorder({
      directory,
      writeRoots,
      folders,
      contents,
      log,
      maxFileBytes,
      maxCalls,
      isExcluded: (path, isDirectory) => isAtOrBelow(path, directory) || options.ignore?.(path, isDirectory) === true,
      now: workspace.now ?? Date.now,
      onOutside: (changes) => notify({ type: 'outside', changes: nameChanges(changes) }),
    });
    return { contents, recorder, log };
  };
  const { contents, recorder, log } = runOrUndo(open, unlock);
  const { damagedLines, damagedPath } = log;
  const { history } = recorder;
  const outer = new AsyncLocalStorage<string>();
  let isClosed = false;

  const show = (path: string): string => {
    const below = relative(cwd, path);
    return below === '' || below.startsWith(`..${sep}`) || below === '..' ? path : below;
  };
  const exclusively = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (isClosed) throw new JournalError('JOURNAL_CLOSED', 'the journal is closed');
    return recorder.exclusively(work);
  };
  const makeRoom = (): void => {
    for (let keep = history.size; contents.size > maxStoreBytes * 0.9 && keep > 0;) {
      keep = Math.floor(keep / 2);
      recorder.forgetOldest(keep);
      contents.retain(new Set(recorder.listLive()));
    }
  };

  const begin = async (info: CallInfo, plan: Exclude<WatchPlan, 'nothing'>): Promise<string | undefined> => {
    try {
      return await exclusively(() => recorder.begin({ facts: factsOf(info), plan, parent: outer.getStore() }));
    } catch (cause) {
      notify({ type: 'problem', message: `${info.tool.name} runs without a record: ${describeCause(cause)}`, cause });
      return undefined;
    }
  };

  const conclude = async (
    info: CallInfo,
    plan: Exclude<WatchPlan, 'nothing'>,
    id: string,
    result: ToolResult,
  ): Promise<ToolResult> => {
    const claims = await resolveEffects(fileEffects(result), cwd);
    const named = claims.flatMap(({ paths }) => paths);
    return exclusively(async () => {
      await recorder.scan(plan === 'everything' ? plan : [...new Set([...plan, ...named])]);
      const changes = history.net([id]);
      const declared = plan === 'everything' ? undefined : plan;
      const stateAt = (path: string): EntryState | undefined => recorder.stateAt(path);
      const mismatches = await compareReport(info, result, { declared, changes, cwd, stateAt });
      recorder.end(id, result.ok, mismatches);
      makeRoom();
      await recorder.sync();
      const call = history.describe(id);
      if (call) notify({ type: 'recorded', call });
      if (call && mismatches.length > 0) notify({ type: 'mismatch', call, mismatches });
      const metadata = { ...result.metadata, journal: { id, changed: changes.length } };
      if (options.amendResults === false) return { ...result, metadata };
      const effects = [...result.effects, ...toEffects(changes, named).slice(0, 1_000)];
      return {
        ...result,
        metadata,
        effects,
        advisories: [...result.advisories, ...describeMismatches(mismatches, show)],
      };
    });
  };

  if (damagedLines > 0)
    notify({
      type: 'problem',
      message: `moved ${damagedLines} damaged lines of the journal to ${damagedPath}`,
    });
  await recorder.exclusively(() => recorder.endInterrupted());
  return {
    cwd,
    middleware: {
      name: 'journal',
      async around(info, next) {
        const watch = options.watch?.(info) ?? chooseWatch(info);
        const plan = await planWatch(info, watch, cwd, folders);
        const id = plan === 'nothing' ? undefined : await begin(info, plan);
        if (plan === 'nothing' || id === undefined) return next();
        const result = await outer.run(id, next);
        try {
          return await conclude(info, plan, id, result);
        } catch (cause) {
          recorder.drop(id);
          notify({
            type: 'problem',
            message: `changes of ${info.tool.name} are not recorded: ${describeCause(cause)}`,
            cause,
          });
          return result;
        }
      },
    },
    calls: (scope) => (scope ? history.find(scope) : history.list()).flatMap((id) => history.describe(id) ?? []),
    changes: (scope) => nameChanges(history.net(history.find(scope))),
    diff: (scope) =>
      nameChanges(history.net(history.find(scope))).flatMap((change) => diffChange(change, contents, show)),
    undo: (scope: JournalScope, undoOptions = {}) =>
      exclusively(async () => {
        const undone = await undo(scope, undoOptions, { recorder, contents, roots: writeRoots, show });
        await recorder.sync();
        return undone;
      }),
    previewUndo: (scope) => exclusively(() => previewUndo(scope, { recorder, contents, roots: writeRoots, show })),
    refresh: ({ signal } = {}) =>
      exclusively(async () => {
        await recorder.scan('everything', { signal });
        await recorder.sync();
      }),
    close,
    [Symbol.asyncDispose]: close,
  };

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    await recorder.exclusively(async () => {
      recorder.save();
      await recorder.sync();
      contents.close();
      log.close();
      unlock();
    });
  }
}

function factsOf({ call, tool, provider, context }: CallInfo): Parameters<Recorder['begin']>[0]['facts'] {
  const { sessionId = '', runId = '', turn = 0 } = context;
  return { callId: call.id, tool: tool.name, provider, sessionId, runId, turn };
}

function runOrUndo<Value>(work: () => Value, undoWork: () => void): Value {
  try {
    return work();
  } catch (error) {
    undoWork();
    throw error;
  }
}
