import { findNetChanges, nameChanges, type NetChange, type WorkspaceChange } from './net-changes.ts';
import { isAtOrBelow } from '../path-names.ts';
import type { BeginRecord, CallFacts, ChangeRecord, EndRecord, JournalRecord, Mismatch } from '../journal-record.ts';

/**
 * Selects calls: by journal id, the newest with a call id, all of a run, or all of one turn. `since` selects the call
 * with this journal id and everything that was recorded after it, including undos.
 */
export type JournalScope =
  | { readonly id: string }
  | { readonly since: string }
  | { readonly callId: string; readonly runId?: string }
  | { readonly runId: string; readonly turn?: number };

/** A recorded call. */
export interface JournalCall extends CallFacts {
  /** Unique id in the journal. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Missing while the call runs. */
  readonly endedAt?: number;
  /** Whether the call succeeded. Missing while it runs. */
  readonly ok?: boolean;
  /** For an undo: the undone calls. */
  readonly undoes?: readonly string[];
  readonly changes: readonly WorkspaceChange[];
  readonly mismatches: readonly Mismatch[];
}

interface Entry {
  readonly begin: BeginRecord;
  end: EndRecord | undefined;
}

/** The recorded calls and their changes, in order. */
export class History {
  readonly #entries = new Map<string, Entry>();
  #changes: ChangeRecord[] = [];
  readonly #ofCall = new Map<string, ChangeRecord[]>();
  #sequence = 0;

  constructor(records: readonly JournalRecord[]) {
    for (const record of records) this.add(record);
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Never reuses a sequence number, even if the last records are lost. */
  continueAfter(sequence: number): void {
    this.#sequence = Math.max(this.#sequence, sequence);
  }

  get size(): number {
    return this.#entries.size;
  }

  add(record: JournalRecord): void {
    this.#sequence = Math.max(this.#sequence, record.sequence);
    if (record.type === 'begin') this.#entries.set(record.id, { begin: record, end: undefined });
    else if (record.type === 'change') {
      this.#changes.push(record);
      for (const id of record.ids) {
        const known = this.#ofCall.get(id);
        if (known) known.push(record);
        else this.#ofCall.set(id, [record]);
      }
    } else {
      const entry = this.#entries.get(record.id);
      if (entry) entry.end = record;
    }
  }

  /** Calls without an end record. */
  listOpen(): readonly BeginRecord[] {
    return [...this.#entries.values()].flatMap(({ begin, end }) => (end ? [] : [begin]));
  }

  changesAfter(sequence: number): readonly ChangeRecord[] {
    return this.#changes.filter((record) => record.sequence > sequence);
  }

  /** Returns the ids of the calls in a scope, oldest first. An undo matches only `id` and `since`. */
  find(scope: JournalScope): readonly string[] {
    if ('id' in scope) return this.#entries.has(scope.id) ? this.#withInner([scope.id]) : [];
    if ('since' in scope) {
      const all = [...this.#entries.keys()];
      const first = all.indexOf(scope.since);
      return first === -1 ? [] : all.slice(first);
    }
    const calls = [...this.#entries.values()].flatMap(({ begin }) => (begin.undoes ? [] : [begin]));
    if ('callId' in scope) {
      const { callId, runId } = scope;
      const found = calls.findLast(
        ({ call }) => call.callId === callId && (runId === undefined || call.runId === runId),
      );
      return found ? this.#withInner([found.id]) : [];
    }
    const { runId, turn } = scope;
    const meant = calls.filter(({ call }) => call.runId === runId && (turn === undefined || call.turn === turn));
    return this.#withInner(meant.map(({ id }) => id));
  }

  /** Adds nested calls. A nested call begins after its enclosing call. */
  #withInner(ids: readonly string[]): readonly string[] {
    const meant = new Set(ids);
    for (const { begin } of this.#entries.values())
      if (begin.parent !== undefined && meant.has(begin.parent)) meant.add(begin.id);
    return [...meant];
  }

  /** Returns the net changes of calls. */
  net(ids: readonly string[]): readonly NetChange[] {
    const records = new Set(ids.flatMap((id) => this.#ofCall.get(id) ?? []));
    const inOrder = ids.length === 1 ? records : [...records].toSorted((one, other) => one.sequence - other.sequence);
    return findNetChanges(inOrder, new Set(ids), (id, path) => this.#declares(id, path));
  }

  /** A declared folder does not name the files in it, but a declared file names the folders to create for it. */
  #declares(id: string, path: string): boolean {
    return this.#entries.get(id)?.begin.paths?.some((declared) => isAtOrBelow(declared, path)) === true;
  }

  /**
   * Returns the paths that were removed after the last change by these calls, and then created again while no call was
   * running.
   */
  findReplaced(ids: readonly string[]): ReadonlySet<string> {
    const own = new Set(ids);
    const replaced = new Set<string>();
    for (const { ids: owners, changes } of this.#changes) {
      const isOwn = owners.some((id) => own.has(id));
      for (const { path, before } of changes) {
        if (isOwn) replaced.delete(path);
        else if (owners.length === 0 && before.kind === 'absent') replaced.add(path);
      }
    }
    return replaced;
  }

  isRunning(id: string): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && entry.end === undefined;
  }

  describe(id: string): JournalCall | undefined {
    const entry = this.#entries.get(id);
    if (!entry) return undefined;
    const { begin, end } = entry;
    return {
      ...begin.call,
      id,
      startedAt: begin.at,
      ...(end ? { endedAt: end.at, ok: end.ok } : {}),
      ...(begin.undoes ? { undoes: begin.undoes } : {}),
      changes: nameChanges(this.net([id])),
      mismatches: end?.mismatches ?? [],
    };
  }

  list(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Drops the oldest finished calls and keeps `count`. Returns the remaining records. */
  keepNewest(count: number): readonly JournalRecord[] {
    const ended = [...this.#entries].filter(([, { end }]) => end !== undefined).map(([id]) => id);
    for (const id of ended.slice(0, Math.max(0, ended.length - count))) {
      this.#entries.delete(id);
      this.#ofCall.delete(id);
    }
    const oldest = Math.min(...[...this.#entries.values()].map(({ begin }) => begin.sequence));
    this.#changes = this.#changes.filter(
      ({ ids, sequence }) => sequence > oldest || ids.some((id) => this.#entries.has(id)),
    );
    return [
      ...[...this.#entries.values()].flatMap(({ begin, end }): readonly JournalRecord[] =>
        end ? [begin, end] : [begin],
      ),
      ...this.#changes,
    ].toSorted((left, right) => left.sequence - right.sequence);
  }

  /** Yields the hash of every content before or after a change. */
  *listHashes(): Generator<string> {
    for (const { changes } of this.#changes) {
      for (const { before, after } of changes) {
        if (before.kind === 'file' && before.hash !== undefined) yield before.hash;
        if (after.kind === 'file' && after.hash !== undefined) yield after.hash;
      }
    }
  }
}
