import type { DescriptionStore } from '../contracts/tools/description-store.ts';
import type { ModelTool } from '../contracts/conversation/model.ts';
import type { ToolSnapshot, AnyTool, Availability } from '../contracts/tools/tool.ts';
import type { ToolKind } from '../contracts/permission/traits.ts';
import { checkOptions } from '../options/check-options.ts';
import { arrayOf, objectOf } from '../options/compound-kinds.ts';
import { required, type OptionTable } from '../options/option-kind.ts';
import { functionKind, numberKind, anyKind, stringKind, objectWith, oneOf } from '../options/option-kinds.ts';
import { kindOf } from '../define/define-tool.ts';
import { notifyListener } from '../notify-listener.ts';
import { createAvailabilityChecker, type AvailabilityChecker } from './availability.ts';
import { asModelTool } from './as-model-tool.ts';
import {
  changeClaims,
  checkDuplicates,
  compareClaims,
  defaultProviderOf,
  type ClaimDifference,
  type RegistryDraft,
} from './tool-claims.ts';
import { createDescriber } from './described-tools.ts';
import { isUnderProvider } from '../names/provider-path.ts';
import { changeSnapshot, createSnapshot, withoutUnavailable, type RegisteredTool } from './snapshot.ts';
import { createConditionalTools, createSubsetCache } from './tool-subset-cache.ts';
import { supportsModel, type ModelIdentity } from './supports-model.ts';
import { createWording } from './worded-tools.ts';

/** Options of {@link ToolRegistry}. */
export interface ToolRegistryOptions {
  /** Initial tools, each registered under its own provider or `local`. */
  readonly tools?: readonly AnyTool[];
  /** Names that are hidden until they are enabled. */
  readonly disabledTools?: readonly string[];
  /** Called with each name when a snapshot is created. Returning false hides the tool. */
  readonly featureFlagChecker?: (name: string) => boolean;
  /** The model of the program, if there is only one. Tools that do not support it are hidden everywhere. */
  readonly model?: ModelIdentity;
  /**
   * What a later registration of a name does. Default `shadow`: the last registration wins, and the hidden tool returns
   * when the other is removed.
   */
  readonly onDuplicate?: 'shadow' | 'error';
  /** Replacement descriptions. Changing one creates a new version. */
  readonly descriptions?: DescriptionStore;
  /** How long an availability answer is cached, in milliseconds. Default: 0, which checks for each listing. */
  readonly availabilityTtlMs?: number;
  readonly now?: () => number;
}

/** A change of a registry. */
export interface RegistryChange extends ClaimDifference {
  readonly version: number;
}

/** A tool that is hidden by another tool. */
export interface Shadow {
  readonly name: string;
  readonly hidden: string;
  readonly by: string;
}

/** The availability of a tool, for listings. */
export interface ToolAvailability {
  readonly name: string;
  readonly type: 'native' | 'cli';
  readonly description: string;
  readonly available: boolean;
  readonly reason: string | undefined;
}

/**
 * Tools by name. The last registration of a name wins, and the hidden tool returns when the other is removed. Tools of
 * the reserved provider `lifecycle` outrank all others. The registry can change while calls run, because snapshots are
 * immutable.
 */
export class ToolRegistry {
  readonly #claims = new Map<string, readonly RegisteredTool[]>();
  #version = 0;
  /** The last snapshot, and the names that may have changed since then. */
  #snapshot: ToolSnapshot | undefined;
  readonly #stale = new Set<string>();
  readonly #subset = createSubsetCache();
  readonly #available = createSubsetCache(withoutUnavailable);
  readonly #conditional = createConditionalTools();
  readonly #wording = createWording();
  readonly #disabled: Set<string>;
  /** Names that were enabled despite the user's preference. */
  readonly #enabled = new Set<string>();
  readonly #options: ToolRegistryOptions;
  readonly #availability: AvailabilityChecker;
  readonly #describe: (entry: RegisteredTool) => RegisteredTool;
  readonly #listeners = new Set<(change: RegistryChange) => void>();

  /**
   * @throws HaftError `INVALID_OPTION` if the options are invalid, `INVALID_TOOL` if a tool is invalid, `DUPLICATE_TOOL`
   * if two of the tools have the same name and provider.
   */
  constructor(options: ToolRegistryOptions = {}) {
    checkOptions('ToolRegistry', options, table, '{ tools: [...] }');
    this.#options = options;
    this.#disabled = new Set(options.disabledTools);
    this.#availability = createAvailabilityChecker(options.availabilityTtlMs ?? 0, options.now ?? Date.now);
    this.#describe = createDescriber(options.descriptions);
    options.descriptions?.addBumper((names) => this.#announceReplaced(names));
    if (options.tools !== undefined) this.register(...options.tools);
  }

  /** Increases with every change. */
  get version(): number {
    return this.#version;
  }

  /** All registered names, including hidden ones, sorted. */
  get names(): readonly string[] {
    return [...this.#claims.keys()].sort();
  }

  /**
   * Registers tools, each under its own provider (such as `builtin`) or `local`. Registers all of them or none.
   * @throws HaftError `INVALID_TOOL`, `DUPLICATE_TOOL` if two of these tools have the same name and provider, or with
   * `onDuplicate: 'error'`.
   */
  register(...tools: readonly AnyTool[]): void {
    this.batch((draft) => {
      for (const tool of tools) draft.registerWithProvider(tool, defaultProviderOf(tool));
      checkDuplicates(tools);
    });
  }

  /** Registers one tool under a provider path, such as `dynamic/plugin/weather`. */
  registerWithProvider(tool: AnyTool, provider: string): void {
    this.batch((draft) => draft.registerWithProvider(tool, provider));
  }

  /** Removes the active tool with this name and restores the tool that it hid. Returns false if the name is unknown. */
  unregister(name: string): boolean {
    const before = this.#version;
    this.batch((draft) => draft.unregister(name));
    return this.#version !== before;
  }

  /** Removes all tools of a provider and of the providers below it. Returns the number of removed tools. */
  unregisterProvider(prefix: string): number {
    const count = this.#all().filter((entry) => isUnderProvider(entry.provider, prefix)).length;
    this.batch((draft) => draft.clear(prefix));
    return count;
  }

  /** Alias of {@link unregisterProvider}. `clear('dynamic')` only removes dynamic tools. */
  clear(prefix: string): number {
    return this.unregisterProvider(prefix);
  }

  /**
   * Makes several changes at once. If a change is invalid or `change` throws, none of them is applied. Emits one change
   * event. A batch without changes creates no new version.
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

  /** Returns the active tool with this name, even if it is hidden by configuration. */
  get(name: string): AnyTool | undefined {
    return this.#claims.get(name)?.at(-1)?.tool;
  }

  has(name: string): boolean {
    return this.#claims.has(name);
  }

  providerFor(name: string): string | undefined {
    return this.#claims.get(name)?.at(-1)?.provider;
  }

  /** Returns the tools of a provider and of the providers below it, including hidden ones, sorted by name. */
  toolsByProvider(prefix: string): readonly AnyTool[] {
    return this.#all()
      .filter((entry) => isUnderProvider(entry.provider, prefix))
      .map((entry) => entry.tool)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Returns the tools that hide other tools. */
  shadows(): readonly Shadow[] {
    const found: Shadow[] = [];
    for (const [name, claims] of this.#claims) {
      const by = claims.at(-1)!.provider;
      for (const claim of claims.slice(0, -1)) found.push({ name, hidden: claim.provider, by });
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * Checks whether a tool is enabled: not disabled by the program or the user's preference, not hidden by a feature
   * flag, and supported by the registry's model.
   */
  isEnabled(name: string): boolean {
    return this.#activeOf(name) !== undefined && this.#flagOf(name);
  }

  /** Enables a tool, even if the user's preference disables it. */
  enable(name: string): void {
    const wasEnabled = this.#activeOf(name) !== undefined;
    this.#disabled.delete(name);
    this.#enabled.add(name);
    if (!wasEnabled && this.has(name)) this.#announceReplaced([name]);
  }

  disable(name: string): void {
    this.#enabled.delete(name);
    if (this.#disabled.has(name)) return;
    this.#disabled.add(name);
    this.#announceReplaced([name]);
  }

  /**
   * Returns the enabled tools as an immutable snapshot, sorted by name. Returns the same object until something
   * changes. All lists and calls without a snapshot use these tools.
   */
  snapshot(): ToolSnapshot {
    const snapshot = this.#newest();
    if (!this.#options.featureFlagChecker) return snapshot;
    return this.#subset(
      snapshot,
      snapshot.tools.filter((tool) => !this.#flagOf(tool.name)),
    );
  }

  /**
   * Returns the tools that this model can be shown now: enabled, supported by the model and available. Their
   * descriptions are resolved for the model. Availability checks run in parallel.
   */
  async visibleTo(model: ModelIdentity): Promise<ToolSnapshot> {
    return this.#wording(await this.#availableTo(model), model);
  }

  /** Checks whether a tool is available. */
  checkTool(tool: AnyTool): Availability | Promise<Availability> {
    return this.#availability.check(tool);
  }

  /** Returns the definitions of the tools that this model can be shown now. Runs the availability checks again. */
  async definitions(model?: ModelIdentity): Promise<readonly ModelTool[]> {
    return this.#wording(await this.#availableTo(model), model).tools.map(asModelTool);
  }

  /** Returns the definitions of all enabled tools that support the model, available or not. */
  allDefinitions(model?: ModelIdentity): readonly ModelTool[] {
    return this.#wording(this.#supporting(model), model).tools.map(asModelTool);
  }

  /** Returns all enabled tools that support the model, sorted by name. */
  tools(model?: ModelIdentity): readonly AnyTool[] {
    return this.#supporting(model).tools;
  }

  listByKind(kind: ToolKind, model?: ModelIdentity): readonly AnyTool[] {
    return this.tools(model).filter((tool) => kindOf(tool) === kind);
  }

  listReadTools(model?: ModelIdentity): readonly AnyTool[] {
    return this.tools(model).filter((tool) => tool.traits.readOnly);
  }

  listWriteTools(model?: ModelIdentity): readonly AnyTool[] {
    return this.tools(model).filter((tool) => !tool.traits.readOnly);
  }

  /**
   * Returns the availability of each enabled tool that supports the model, sorted by name, with a reason if it is
   * unavailable.
   */
  async checkAvailability(model?: ModelIdentity): Promise<readonly ToolAvailability[]> {
    const tools = this.tools(model);
    const unavailable = await this.#unavailable(tools);
    return tools.map((tool) => ({
      ...toolInfo(tool),
      available: !unavailable.has(tool),
      reason: unavailable.get(tool),
    }));
  }

  /** Calls a listener after every change. Returns a function that removes the listener. Ignores errors of listeners. */
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

  /** Returns the current snapshot. Creates a new one from the last only if something changed. */
  #newest(): ToolSnapshot {
    if (this.#snapshot?.version === this.#version) return this.#snapshot;
    const names = this.#snapshot ? this.#stale : this.#claims.keys();
    const meanings = new Map(Array.from(names, (name) => [name, this.#meaningOf(name)]));
    this.#stale.clear();
    this.#snapshot = changeSnapshot(this.#snapshot ?? createSnapshot(0, []), this.#version, meanings);
    return this.#snapshot;
  }

  #meaningOf(name: string): RegisteredTool | undefined {
    const winner = this.#activeOf(name);
    return winner && this.#describe(winner);
  }

  /** Returns the winning registration of a name, unless the program, the preference or the model excludes it. */
  #activeOf(name: string): RegisteredTool | undefined {
    const winner = this.#disabled.has(name) ? undefined : this.#claims.get(name)?.at(-1);
    if (winner === undefined) return undefined;
    const { model } = this.#options;
    if (winner.tool.preference?.enabled === false && !this.#enabled.has(name)) return undefined;
    return model === undefined || supportsModel(winner.tool, model) ? winner : undefined;
  }

  /** Returns the enabled tools that support a model. */
  #supporting(model: ModelIdentity | undefined): ToolSnapshot {
    const snapshot = this.snapshot();
    if (model === undefined) return snapshot;
    return this.#subset(
      snapshot,
      this.#conditional(snapshot).filter((tool) => !supportsModel(tool, model)),
    );
  }

  /** Returns the enabled tools that support a model and are available. The result knows the unavailable ones by name. */
  async #availableTo(model: ModelIdentity | undefined): Promise<ToolSnapshot> {
    const supporting = this.#supporting(model);
    const unavailable = await this.#unavailable(this.#conditional(supporting));
    return this.#available(supporting, [...unavailable.keys()]);
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
  tools: arrayOf<AnyTool>(anyKind, 'an array of tools'),
  disabledTools: arrayOf(stringKind, 'a list of names'),
  featureFlagChecker: functionKind,
  model: objectOf<ModelIdentity>(
    { name: required(stringKind), vendor: stringKind },
    "{ name: 'claude-opus', vendor: 'anthropic' }",
  ),
  onDuplicate: oneOf('shadow', 'error'),
  descriptions: objectWith<DescriptionStore>('a DescriptionStore', 'description', 'addBumper'),
  availabilityTtlMs: numberKind({ min: 0 }),
  now: functionKind,
};

/**
 * Returns the name, type and description of a tool.
 *
 * @example
 * import { defineTool } from '@haft/core';
 * import { toolInfo } from '@haft/core/registry';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * toolInfo(ping); // => { name: 'ping', type: 'native', description: 'Answers.' }
 */
export function toolInfo(tool: AnyTool): {
  readonly name: string;
  readonly type: 'native' | 'cli';
  readonly description: string;
} {
  return { name: tool.name, type: tool.type, description: tool.description };
}
