import { confine, type Roots } from '@haft/sandbox';
import type { ContentStore } from '../content/content-store.ts';
import type { EntryState, StateChange } from '../entry-state.ts';
import { History } from './history.ts';
import type { JournalLog } from '../log/journal-log.ts';
import type { CallFacts, JournalRecord, Mismatch } from '../journal-record.ts';
import { WorkspaceScan, type WatchedRoot } from '../index/workspace-scan.ts';
import { isAtOrBelow } from '../path-names.ts';
import type { WatchPlan } from './plan-watch.ts';
import { applyChange, findState, loadIndex, saveIndex } from '../index/saved-index.ts';
import { createFolderNode, listHashes } from '../index/workspace-index.ts';

export interface RecorderDeps {
  /** The journal's own directory. */
  readonly directory: string;
  readonly writeRoots: Roots;
  /** Real absolute paths of the scanned folders. */
  readonly folders: readonly string[];
  readonly contents: ContentStore;
  readonly log: JournalLog;
  readonly maxFileBytes: number;
  readonly maxCalls: number;
  readonly isExcluded: (path: string, isDirectory: boolean) => boolean;
  readonly now: () => number;
  /** Called with changes that belong to no call. */
  readonly onOutside: (changes: readonly StateChange[]) => void;
}

/** A running call. */
interface Active {
  readonly id: string;
  readonly parent: string | undefined;
  /** Undefined if the call may change any path. */
  readonly paths: readonly string[] | undefined;
}

/** Start of a call. */
export interface CallStart {
  readonly facts: CallFacts;
  readonly plan: Exclude<WatchPlan, 'nothing'>;
  readonly parent?: string | undefined;
  readonly undoes?: readonly string[];
  /** Also scan everything below the paths. Default true. */
  readonly isDeep?: boolean;
}

interface ScanOptions {
  readonly isDeep?: boolean;
  /** The user may have made the changes, even of declared paths. */
  readonly isInferred?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Coordinates the index, the log and the running calls. Each scan returns the changes since the previous one and
 * attributes them to the calls that may have made them. Scans run one at a time.
 */
export class Recorder {
  readonly history: History;
  readonly #deps: RecorderDeps;
  readonly #roots: readonly WatchedRoot[];
  readonly #active = new Map<string, Active>();
  #isWalked = false;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
    this.history = new History(deps.log.records);
    const saved = loadIndex(deps.directory);
    const root = (path: string, isWalked: boolean): WatchedRoot => ({
      path,
      node: saved.roots.get(path) ?? createFolderNode(0o755, false),
      isWalked,
    });
    const top = deps.writeRoots === 'unrestricted' ? [root('/', false)] : [];
    this.#roots = [...deps.folders.map((path) => root(path, true)), ...top];
    for (const { changes } of this.history.changesAfter(saved.sequence)) {
      for (const change of changes) {
        const within = this.#rootOf(change.path);
        if (within) applyChange(within, change);
      }
    }
    this.history.continueAfter(saved.sequence);
    this.#isWalked = deps.folders.every((path) => saved.roots.has(path));
    // Calls that ran when the process ended may have made the changes found now.
    for (const { id, parent, paths } of this.history.listOpen()) this.#active.set(id, { id, parent, paths });
  }

  /** Runs tasks one after another. */
  exclusively<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }

  /** Ends the calls that a previous process left running. */
  async endInterrupted(): Promise<void> {
    if (this.#active.size === 0) return;
    const open = [...this.#active.values()];
    const paths = open.flatMap((each) => each.paths ?? []);
    await this.scan(open.some((each) => each.paths === undefined) ? 'everything' : paths, { isInferred: true });
    for (const { id } of open) this.#conclude(id, false, []);
    this.#forgetBeyondLimit();
  }

  async begin({ facts, plan, parent, undoes, isDeep = true }: CallStart): Promise<string> {
    await this.scan(plan, { isDeep });
    const sequence = this.history.sequence + 1;
    const id = `j${sequence}`;
    const paths = plan === 'everything' ? undefined : plan;
    this.#record({
      type: 'begin',
      sequence,
      id,
      at: this.#deps.now(),
      call: facts,
      ...(paths ? { paths } : {}),
      ...(parent === undefined ? {} : { parent }),
      ...(undoes ? { undoes } : {}),
    });
    this.#active.set(id, { id, parent, paths });
    return id;
  }

  end(id: string, ok: boolean, mismatches: readonly Mismatch[]): void {
    this.#conclude(id, ok, mismatches);
    this.#forgetBeyondLimit();
  }

  #conclude(id: string, ok: boolean, mismatches: readonly Mismatch[]): void {
    this.#active.delete(id);
    this.#record({ type: 'end', sequence: this.history.sequence + 1, id, at: this.#deps.now(), ok, mismatches });
  }

  #forgetBeyondLimit(): void {
    if (this.history.size > this.#deps.maxCalls * 1.25) this.forgetOldest(this.#deps.maxCalls);
  }

  /** Stops tracking a call whose end cannot be recorded. */
  drop(id: string): void {
    this.#active.delete(id);
  }

  /** Scans and records the changes, even if the scan is interrupted. A shallow scan suffices to compare paths. */
  async scan(
    plan: Exclude<WatchPlan, 'nothing'>,
    { isDeep = true, isInferred = false, signal }: ScanOptions = {},
  ): Promise<void> {
    const { writeRoots: roots, contents, maxFileBytes, isExcluded } = this.#deps;
    const scan = new WorkspaceScan({ roots, contents, maxFileBytes, isExcluded, signal });
    try {
      if (plan === 'everything') {
        for (const root of this.#roots) if (root.isWalked) await scan.scanRoot(root);
      } else {
        for (const path of plan) {
          const root = this.#rootOf(path);
          if (root && !isExcluded(path, false)) await scan.scanPath(root, path, isDeep);
        }
      }
    } finally {
      contents.flush();
      this.#attribute(scan.changes, isInferred);
    }
    if (plan === 'everything' && !this.#isWalked) {
      this.#isWalked = true;
      this.save();
    }
  }

  /** Resolves once all records survive a crash of the machine. Until then a record may refer to a missing content. */
  async sync(): Promise<void> {
    await Promise.all([this.#deps.contents.sync(), this.#deps.log.sync()]);
  }

  stateAt(path: string): EntryState | undefined {
    const root = this.#rootOf(path);
    return root && findState(root, path);
  }

  /** Returns whether a running call may be changing a path. */
  isBusy(path: string): boolean {
    return [...this.#active.values()].some(({ paths }) => paths === undefined || covers(paths, path));
  }

  save(): void {
    saveIndex(this.#deps.directory, this.#roots, this.history.sequence);
  }

  /** Yields the hash of every content in use. */
  *listLive(): Generator<string> {
    yield* this.history.listHashes();
    for (const { node } of this.#roots) yield* listHashes(node);
  }

  forgetOldest(keep: number): void {
    this.#deps.log.rewrite(this.history.keepNewest(keep));
    this.save();
  }

  #rootOf(path: string): WatchedRoot | undefined {
    return this.#roots
      .filter((root) => isAtOrBelow(path, root.path))
      .reduce<WatchedRoot | undefined>(
        (best, root) => (best && best.path.length >= root.path.length ? best : root),
        undefined,
      );
  }

  #attribute(changes: readonly StateChange[], isInferred: boolean): void {
    if (changes.length === 0) return;
    const owned = new Map<string, { readonly ids: readonly string[]; readonly changes: StateChange[] }>();
    for (const change of changes) {
      const ids = this.#ownersOf(change.path);
      const key = ids.join();
      const known = owned.get(key);
      if (known) known.changes.push(change);
      else owned.set(key, { ids, changes: [change] });
    }
    for (const each of owned.values()) {
      const marks = isInferred ? { isInferred } : {};
      this.#record({ type: 'change', sequence: this.history.sequence + 1, at: this.#deps.now(), ...marks, ...each });
      if (each.ids.length === 0) this.#deps.onOutside(each.changes);
    }
  }

  /**
   * Returns the calls that declared the path. Without any, returns the calls that may change any path, innermost first.
   */
  #ownersOf(path: string): readonly string[] {
    const active = [...this.#active.values()];
    const declared = active.filter(({ paths }) => paths !== undefined && covers(paths, path));
    const able = declared.length > 0 ? declared : active.filter(({ paths }) => paths === undefined);
    const outer = new Set(able.flatMap(({ parent }) => this.#ancestors(parent)));
    return able.flatMap(({ id }) => (outer.has(id) ? [] : [id]));
  }

  #ancestors(parent: string | undefined): readonly string[] {
    const found: string[] = [];
    for (let at = parent; at !== undefined && found.length < 100; at = this.#active.get(at)?.parent) found.push(at);
    return found;
  }

  #record(record: JournalRecord): void {
    this.#deps.log.append(record);
    this.history.add(record);
  }
}

/** Matches a path, everything below it, and the parent folders that may have to be created. */
function covers(paths: readonly string[], path: string): boolean {
  return paths.some((each) => isAtOrBelow(path, each) || isAtOrBelow(each, path));
}

/** Returns the real watched folders, without nested ones. */
export async function findFolders(roots: Roots, cwd: string): Promise<readonly string[]> {
  const real: string[] = [];
  for (const root of roots === 'unrestricted' ? [cwd] : roots) {
    const found = await confine('unrestricted', root);
    if (found.ok) real.push(found.path);
  }
  return [...new Set(real)].filter((path) => !real.some((other) => other !== path && isAtOrBelow(path, other)));
}
