import type { DescriptionStore } from '../contracts/tools/description-store.ts';
import type { ModelTool } from '../contracts/conversation/model.ts';
import type { ToolSnapshot, AnyTool, Availability } from '../contracts/tools/tool.ts';
import type { ToolKind } from '../contracts/permission/traits.ts';
import { checkOptions } from '../options/check-options.ts';
import { arrayOf } from '../options/compound-kinds.ts';
import type { OptionTable } from '../options/option-kind.ts';
import { aFunction, aNumber, anyValue, aString, objectWith, oneOf } from '../options/option-kinds.ts';
import { kindOf } from '../define/define-tool.ts';
import { notifyListener } from '../notify-listener.ts';
import { createAvailabilityChecker, type AvailabilityChecker } from './availability.ts';
import { asModelTool } from './as-model-tool.ts';
import { changeClaims, compareClaims, type ClaimDifference, type RegistryDraft } from './claims.ts';
import { createDescriber } from './described-tools.ts';
import { isUnderProvider, localProvider } from '../names/provider-path.ts';
import { changeSnapshot, createSnapshot, type RegisteredTool } from './snapshot.ts';
import { createConditionalTools, createSubsetCache } from './subset-cache.ts';
import { supportsModel } from './supports-model.ts';
import { createWording } from './worded-tools.ts';

/** What a {@link ToolRegistry} can be told at birth. */
export interface ToolRegistryOptions {
  /** Tools to register at once, each under its own provider or else `local`. */
  readonly tools?: readonly AnyTool[];
  /** Names that stay hidden until enabled. */
  readonly disabledTools?: readonly string[];
  /** Asked by name whenever a snapshot is made; false hides the tool. */
  readonly featureFlagChecker?: (name: string) => boolean;
  /** Default `shadow`: the last registration wins and what it hid comes back when it goes. */
  readonly onDuplicate?: 'shadow' | 'error';
  /** Descriptions that replace those of the tools; a change of one makes a new version. */
  readonly descriptions?: DescriptionStore;
  /** Milliseconds that an availability answer holds; default 0: asked anew at each listing. */
  readonly availabilityTtlMs?: number;
  readonly now?: () => number;
}

/** What a change of a registry brought. */
export interface RegistryChange extends ClaimDifference {
  readonly version: number;
}

/** A tool that another one hides. */
export interface Shadow {
  readonly name: string;
  readonly hidden: string;
  readonly by: string;
}

/** One line about a tool, for listings. */
export interface ToolAvailability {
  readonly name: string;
  readonly type: 'native' | 'cli';
  readonly description: string;
  readonly available: boolean;
  readonly reason: string | undefined;
}

/**
 * Tools by name. The last registration of a name wins, and what it hid comes back when it goes; tools of the reserved
 * provider `lifecycle` outrank all others. Safe to change while calls run: whoever holds a snapshot keeps it.
 */
export class ToolRegistry {
  readonly #claims = new Map<string, readonly RegisteredTool[]>();
  #version = 0;
  /** The newest that was made, and the names that may mean something else since. */
  #snapshot: ToolSnapshot | undefined;
  readonly #stale = new Set<string>();
  readonly #subset = createSubsetCache();
  readonly #conditional = createConditionalTools();
  readonly #wording = createWording();
  readonly #disabled: Set<string>;
  readonly #options: ToolRegistryOptions;
  readonly #availability: AvailabilityChecker;
  readonly #describe: (entry: RegisteredTool) => RegisteredTool;
  readonly #listeners = new Set<(change: RegistryChange) => void>();

  /** @throws HaftError `INVALID_OPTION` for what are no options, `INVALID_TOOL` for what is no tool. */
  constructor(options: ToolRegistryOptions = {}) {
    checkOptions('ToolRegistry', options, table, '{ tools: [...] }');
    this.#options = options;
    this.#disabled = new Set(options.disabledTools);
    this.#availability = createAvailabilityChecker(options.availabilityTtlMs ?? 0, options.now ?? Date.now);
    this.#describe = createDescriber(options.descriptions);
    options.descriptions?.addBumper((names) => this.#announceReplaced(names));
    if (options.tools !== undefined) this.register(...options.tools);
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  /** Every registered name, hidden ones too, sorted. */
  get names(): readonly string[] {
    return [...this.#claims.keys()].sort();
  }

  /**
   * Registers tools, each under the provider it brings (`builtin`) or else `local`, all or none.
   * @throws HaftError `INVALID_TOOL`, `DUPLICATE_TOOL` (only with `onDuplicate: 'error'`).
   */
  register(...tools: readonly AnyTool[]): void {
    this.batch((draft) => tools.forEach((tool) => draft.registerWithProvider(tool, tool?.provider ?? localProvider)));
  }

  /** Registers one tool under a provider path, such as `dynamic/plugin/weather`. */
  registerWithProvider(tool: AnyTool, provider: string): void {
    this.batch((draft) => draft.registerWithProvider(tool, provider));
  }

  /** Removes the tool that a name means now; what it hid comes back. False when there is none. */
  unregister(name: string): boolean {
    const before = this.#version;
    this.batch((draft) => draft.unregister(name));
    return this.#version !== before;
  }

  /** Removes all tools of a provider and of those below it; returns how many. */
  unregisterProvider(prefix: string): number {
    const count = this.#all().filter((entry) => isUnderProvider(entry.provider, prefix)).length;
    this.batch((draft) => draft.clear(prefix));
    return count;
  }

  /** The same as {@link unregisterProvider}: `clear('dynamic')` touches nothing but dynamic tools. */
  clear(prefix: string): number {
    return this.unregisterProvider(prefix);
  }

  /**
   * Makes several changes at once: all of them or, when one can't be made or `change` throws, none.
   * One change event follows; a batch that changes nothing makes no new version.
   */
  batch(change: (draft: RegistryDraft) => void): void {
    const touched = changeClaims(this.#claims, change, this.#options.onDuplicate ?? 'shadow');
    const difference = compareClaims(this.#claims, touched);
    for (const [name, claims] of touched) {
      if (claims.length > 0) this.#claims.set(name, claims);
      else this.#claims.delete(name);
    }
    if (difference.added.length + difference.removed.length + difference.replaced.length > 0)
      this.#announce(difference);
  }

  /** The tool that a name means, hidden by configuration or not. */
  get(name: string): AnyTool | undefined {
    return this.#claims.get(name)?.at(-1)?.tool;
  }

  has(name: string): boolean {
    return this.#claims.has(name);
  }

  providerFor(name: string): string | undefined {
    return this.#claims.get(name)?.at(-1)?.provider;
  }

  /** Tools of a provider and of those below it, hidden ones too, sorted by name. */
  toolsByProvider(prefix: string): readonly AnyTool[] {
    return this.#all()
      .filter((entry) => isUnderProvider(entry.provider, prefix))
      .map((entry) => entry.tool)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Which tools hide which others. */
  shadows(): readonly Shadow[] {
    const found: Shadow[] = [];
    for (const [name, claims] of this.#claims) {
      const by = claims.at(-1)!.provider;
      for (const claim of claims.slice(0, -1)) found.push({ name, hidden: claim.provider, by });
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  isEnabled(name: string): boolean {
    return this.has(name) && !this.#disabled.has(name) && this.#flagOf(name);
  }

  enable(name: string): void {
    if (this.#disabled.delete(name)) this.#announceReplaced([name]);
  }

  disable(name: string): void {
    if (this.#disabled.has(name)) return;
    this.#disabled.add(name);
    this.#announceReplaced([name]);
  }

  /** Everything that is enabled, now: immutable, sorted by name, and the same object while nothing changed. */
  snapshot(): ToolSnapshot {
    const snapshot = this.#newest();
    if (!this.#options.featureFlagChecker) return snapshot;
    return this.#subset(
      snapshot,
      snapshot.tools.filter((tool) => !this.#flagOf(tool.name)),
    );
  }

  /**
   * What this model may be shown now: enabled, supported by the model, and available, with descriptions that are worked
   * out for it. Checks run in parallel.
   */
  async visibleTo(model: { readonly name: string; readonly vendor?: string }): Promise<ToolSnapshot> {
    const snapshot = this.snapshot();
    const conditional = this.#conditional(snapshot);
    if (conditional.length === 0) return this.#wording(snapshot, model);
    const unavailable = await this.#unavailable(conditional);
    const isHidden = (tool: AnyTool): boolean =>
      tool.preference.enabled === false || !supportsModel(tool, model) || unavailable.has(tool);
    return this.#wording(this.#subset(snapshot, conditional.filter(isHidden)), model);
  }

  /** Whether one tool can be used now. */
  checkTool(tool: AnyTool): Availability | Promise<Availability> {
    return this.#availability.check(tool);
  }

  /** The enabled tools that are available, checked anew. */
  async definitions(): Promise<readonly ModelTool[]> {
    const unavailable = await this.#unavailable(this.snapshot().tools);
    const available = this.#subset(this.snapshot(), [...unavailable.keys()]);
    return this.#wording(available, undefined).tools.map(asModelTool);
  }

  /** Every enabled tool, available or not. */
  allDefinitions(): readonly ModelTool[] {
    return this.#wording(this.snapshot(), undefined).tools.map(asModelTool);
  }

  /** Every enabled tool, sorted by name. */
  tools(): readonly AnyTool[] {
    return this.snapshot().tools;
  }

  listByKind(kind: ToolKind): readonly AnyTool[] {
    return this.snapshot().tools.filter((tool) => kindOf(tool) === kind);
  }

  listReadTools(): readonly AnyTool[] {
    return this.snapshot().tools.filter((tool) => tool.traits.readOnly);
  }

  listWriteTools(): readonly AnyTool[] {
    return this.snapshot().tools.filter((tool) => !tool.traits.readOnly);
  }

  /** One line a tool, sorted by name, with the reason why it is not available. */
  async checkAvailability(): Promise<readonly ToolAvailability[]> {
    const unavailable = await this.#unavailable(this.snapshot().tools);
    return this.snapshot().tools.map((tool) => ({
      ...toolInfo(tool),
      available: !unavailable.has(tool),
      reason: unavailable.get(tool),
    }));
  }

  /** Tells of every change after it was made; returns how to stop listening. What a listener throws is dropped. */
  onChange(listener: (change: RegistryChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #announceReplaced(names: readonly string[]): void {
    this.#announce({ added: [], removed: [], replaced: names.filter((name) => this.has(name)) });
  }

  #announce(difference: ClaimDifference): void {
    this.#version += 1;
    for (const names of Object.values(difference)) for (const name of names) this.#stale.add(name);
    const change = { version: this.#version, ...difference };
    for (const listener of Array.from(this.#listeners)) notifyListener(listener, change);
  }

  #all(): readonly RegisteredTool[] {
    return [...this.#claims.values()].flat();
  }

  /** A new snapshot only when something changed, made of the last one and the changes. */
  #newest(): ToolSnapshot {
    if (this.#snapshot?.version === this.#version) return this.#snapshot;
    const names = this.#snapshot ? this.#stale : this.#claims.keys();
    const meanings = new Map(Array.from(names, (name) => [name, this.#meaningOf(name)]));
    this.#stale.clear();
    this.#snapshot = changeSnapshot(this.#snapshot ?? createSnapshot(0, []), this.#version, meanings);
    return this.#snapshot;
  }

  #meaningOf(name: string): RegisteredTool | undefined {
    const winner = this.#disabled.has(name) ? undefined : this.#claims.get(name)?.at(-1);
    return winner && this.#describe(winner);
  }

  #flagOf(name: string): boolean {
    try {
      return this.#options.featureFlagChecker?.(name) ?? true;
    } catch {
      return false;
    }
  }

  async #unavailable(tools: readonly AnyTool[]): Promise<ReadonlyMap<AnyTool, string>> {
    const reasons = new Map<AnyTool, string>();
    const checks = tools
      .filter((tool) => tool.available !== undefined)
      .map(async (tool) => ({ tool, answer: await this.#availability.check(tool) }));
    for (const { tool, answer } of await Promise.all(checks)) if (answer !== true) reasons.set(tool, answer.reason);
    return reasons;
  }
}

const table: OptionTable<ToolRegistryOptions> = {
  tools: arrayOf<AnyTool>(anyValue, 'a list of tools'),
  disabledTools: arrayOf(aString, 'a list of names'),
  featureFlagChecker: aFunction,
  onDuplicate: oneOf('shadow', 'error'),
  descriptions: objectWith<DescriptionStore>('a DescriptionStore', 'description', 'addBumper'),
  availabilityTtlMs: aNumber({ min: 0 }),
  now: aFunction,
};

/** Name, type and description of a tool. */
export function toolInfo(tool: AnyTool): {
  readonly name: string;
  readonly type: 'native' | 'cli';
  readonly description: string;
} {
  return { name: tool.name, type: tool.type, description: tool.description };
}
