import type { DescriptionStore } from '../contracts/tools/description-store.ts';
import { checkOption } from '../options/check-options.ts';
import { custom } from '../options/option-kinds.ts';

/** Keeps a set of descriptions elsewhere, for {@link MemoryDescriptionStore} to read at the start and to write through. */
export interface DescriptionPersistence {
  load(): Promise<Iterable<readonly [name: string, description: string]>>;
  /** Keeps one description, or with `undefined` forgets it. */
  save(name: string, description: string | undefined): Promise<void>;
}

/**
 * Descriptions in memory; with a persistence they are written through, there first, and read by `load`. A bumper that
 * throws keeps no other from being told.
 */
export class MemoryDescriptionStore implements DescriptionStore {
  readonly #descriptions = new Map<string, string>();
  readonly #bumpers = new Set<(names: readonly string[]) => void>();
  readonly #persistence: DescriptionPersistence | undefined;
  #revision = 0;

  constructor(persistence?: DescriptionPersistence) {
    this.#persistence = persistence;
  }

  get revision(): number {
    return this.#revision;
  }

  description(name: string): string | undefined {
    return this.#descriptions.get(name);
  }

  async load(descriptions?: Iterable<readonly [string, string]>): Promise<void> {
    const next = new Map(descriptions ?? (await this.#persistence?.load()));
    for (const description of next.values()) checkDescription('load', description);
    const names = new Set([...this.#descriptions.keys(), ...next.keys()]);
    const changed = [...names].filter((name) => next.get(name) !== this.#descriptions.get(name));
    if (descriptions) for (const name of changed) await this.#persistence?.save(name, next.get(name));
    this.#descriptions.clear();
    for (const [name, description] of next) this.#descriptions.set(name, description);
    this.#bump(changed);
  }

  /** @throws HaftError `INVALID_OPTION` for a blank description: a model is told what a tool is for, or nothing is. */
  async set(name: string, description: string): Promise<void> {
    checkDescription('set', description);
    await this.#persistence?.save(name, description);
    if (this.#descriptions.get(name) === description) return;
    this.#descriptions.set(name, description);
    this.#bump([name]);
  }

  async delete(name: string): Promise<boolean> {
    await this.#persistence?.save(name, undefined);
    if (!this.#descriptions.delete(name)) return false;
    this.#bump([name]);
    return true;
  }

  addBumper(bump: (names: readonly string[]) => void): () => void {
    this.#bumpers.add(bump);
    return () => this.#bumpers.delete(bump);
  }

  #bump(names: readonly string[]): void {
    if (names.length === 0) return;
    this.#revision += 1;
    for (const bump of Array.from(this.#bumpers)) {
      try {
        bump(names);
      } catch {
        // The change has been made; whoever can't follow it has to say so elsewhere.
      }
    }
  }
}

const descriptionKind = custom(
  'one or two sentences for the model',
  (value) => typeof value === 'string' && value.trim() !== '',
);

function checkDescription(method: string, description: unknown): void {
  checkOption(`DescriptionStore.${method}`, 'description', description, descriptionKind);
}
