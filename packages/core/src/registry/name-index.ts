import type { RegisteredTool } from './snapshot.ts';

/** What a name means from a version on, and before that. */
interface Meaning {
  readonly since: number;
  readonly entry: RegisteredTool | undefined;
  readonly before: Meaning | undefined;
}

/**
 * What names mean, now and at earlier versions: one map for many snapshots, so that a new one costs what has changed.
 * Versions only grow.
 */
export class NameIndex {
  readonly #meanings = new Map<string, Meaning>();
  #past = 0;

  constructor(version: number, entries: Iterable<RegisteredTool>) {
    for (const entry of entries) this.#meanings.set(entry.name, { since: version, entry, before: undefined });
  }

  /** Whether it holds more of the past than of the present: time to begin another. */
  get isOld(): boolean {
    return this.#past > 64 + this.#meanings.size / 2;
  }

  get(name: string, version: number): RegisteredTool | undefined {
    let meaning = this.#meanings.get(name);
    while (meaning !== undefined && meaning.since > version) meaning = meaning.before;
    return meaning?.entry;
  }

  set(name: string, version: number, entry: RegisteredTool | undefined): void {
    const before = this.#meanings.get(name);
    if (before !== undefined) this.#past += 1;
    this.#meanings.set(name, { since: version, entry, before });
  }
}
