import { findNetChanges, nameChanges, type NetChange, type WorkspaceChange } from './net-changes.ts';
import type { BeginRecord, CallFacts, ChangeRecord, EndRecord, JournalRecord, Mismatch } from '../journal-record.ts';

/** Which calls are meant: one by its id in the journal, the newest of a call id, all of a run or of one turn of it. */
export type JournalScope =
  | { readonly id: string }
  | { readonly callId: string; readonly runId?: string }
  | { readonly runId: string; readonly turn?: number };

/** One call as the journal has it. */
export interface JournalCall extends CallFacts {
  /** Its id in the journal, which no other call has. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Absent while it runs. */
  readonly endedAt?: number;
  /** Whether it succeeded; absent while it runs. */
  readonly ok?: boolean;
  /** For an undo: the calls that it undid. */
  readonly undoes?: readonly string[];
  readonly changes: readonly WorkspaceChange[];
  readonly mismatches: readonly Mismatch[];
}

interface Entry {
  readonly begin: BeginRecord;
  end: EndRecord | undefined;
}

/** The calls of a journal and what they changed, in order. */
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

  /** Gives no number again that was given before, also where the last records are lost. */
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

  /** Calls that were at work when the records end. */
  listOpen(): readonly BeginRecord[] {
    return [...this.#entries.values()].flatMap(({ begin, end }) => (end ? [] : [begin]));
  }

  changesAfter(sequence: number): readonly ChangeRecord[] {
    return this.#changes.filter((record) => record.sequence > sequence);
  }

  /** The ids of the calls that a scope means, oldest first. An undo belongs to none but by its own id. */
  find(scope: JournalScope): readonly string[] {
    if ('id' in scope) return this.#entries.has(scope.id) ? this.#withInner([scope.id]) : [];
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

  /** With the calls that were made from inside these. An inner call begins after its outer one. */
  #withInner(ids: readonly string[]): readonly string[] {
    const meant = new Set(ids);
    for (const { begin } of this.#entries.values())
      if (begin.parent !== undefined && meant.has(begin.parent)) meant.add(begin.id);
    return [...meant];
  }

  /** What calls came to together. */
  net(ids: readonly string[]): readonly NetChange[] {
    const records = new Set(ids.flatMap((id) => this.#ofCall.get(id) ?? []));
    const inOrder = ids.length === 1 ? records : [...records].toSorted((one, other) => one.sequence - other.sequence);
    return findNetChanges(inOrder, new Set(ids));
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

  /** Forgets the oldest calls that have ended, but for this many; gives what is left as records. */
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

  /** Every content that some change leads from or to. */
  *listHashes(): Generator<string> {
    for (const { changes } of this.#changes) {
      for (const { before, after } of changes) {
        if (before.kind === 'file' && before.hash !== undefined) yield before.hash;
        if (after.kind === 'file' && after.hash !== undefined) yield after.hash;
      }
    }
  }
}
