import type { DescriptionStore } from '../contracts/tools/description-store.ts';
import { checkOption } from '../options/check-options.ts';
import { custom } from '../options/option-kinds.ts';

/** Persistent storage for {@link MemoryDescriptionStore}, which loads from it at the start and writes through to it. */
export interface DescriptionPersistence {
  load(): Promise<Iterable<readonly [name: string, description: string]>>;
  /** Saves one description, or deletes it if it is `undefined`. */
  save(name: string, description: string | undefined): Promise<void>;
}

/**
 * Stores descriptions in memory. With a persistence, each change is saved there first, and `load` reads it back. A
 * bumper that throws does not prevent the others from being called.
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

  /** @throws HaftError `INVALID_OPTION` if the description is blank. */
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
        // The change is already made. A failing bumper must report its failure itself.
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
