import type { AnyTool } from '../contracts/tools/tool.ts';
import { findContradiction } from '../define/contradictions.ts';
import { aiSdkRemedy, isAiSdkTool } from '../options/ai-sdk-tool-option.ts';
import { hasMethods } from '../options/is-record.ts';
import { HaftError } from '../haft-error.ts';
import { isWireName } from '../names/name-codec.ts';
import { isProviderPath, isUnderProvider, lifecycleProvider, localProvider } from '../names/provider-path.ts';
import type { RegisteredTool } from './snapshot.ts';

/** The tools registered for each name, by ascending rank. The last tool is active and hides the others. */
export type Claims = ReadonlyMap<string, readonly RegisteredTool[]>;

/** The changes of a batch. Either all of them are applied or none. */
export interface RegistryDraft {
  registerWithProvider(tool: AnyTool, provider: string): void;
  /** Registers a tool that manages other tools under the reserved provider `lifecycle`, which outranks all others. */
  registerLifecycle(tool: AnyTool): void;
  /** Removes the active tool with this name, or the tool of the given provider. */
  unregister(name: string, provider?: string): void;
  /** Removes all tools of a provider and of the providers below it. */
  clear(prefix: string): void;
}

/** Names that a change added, removed or assigned to another tool. */
export interface ClaimDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly replaced: readonly string[];
}

/**
 * Computes the result of a batch without changing the existing claims. Returns the affected names with their new
 * claims. The cost depends on the number of affected names; only `clear` visits all names.
 * @throws HaftError `INVALID_TOOL`, `INVALID_OPTION`, `RESERVED_PROVIDER`, `DUPLICATE_TOOL`, or what `change` throws.
 */
export function changeClaims(
  before: Claims,
  change: (draft: RegistryDraft) => void,
  onDuplicate: 'shadow' | 'error',
): Claims {
  const touched = new Map<string, readonly RegisteredTool[]>();
  const claimsOf = (name: string): readonly RegisteredTool[] => touched.get(name) ?? before.get(name) ?? [];
  const register = (tool: AnyTool, provider: string): void => {
    const name = checkRegistration(tool, provider);
    const held = claimsOf(name);
    if (onDuplicate === 'error' && held.length > 0) {
      const holder = held.at(-1)!.provider;
      throw new HaftError('DUPLICATE_TOOL', `the name ${name} is taken by provider ${holder}`);
    }
    touched.set(name, rank(held, { name, tool, provider }));
  };
  const keep = (name: string, stays: (entry: RegisteredTool, isTop: boolean) => boolean): void => {
    const held = claimsOf(name);
    const left = held.filter((entry, index) => stays(entry, index === held.length - 1));
    if (left.length < held.length) touched.set(name, left);
  };
  change({
    registerWithProvider(tool, provider) {
      if (typeof provider === 'string' && isUnderProvider(provider, lifecycleProvider)) {
        throw new HaftError(
          'RESERVED_PROVIDER',
          `the provider ${lifecycleProvider} belongs to tools that manage others: use registerLifecycle for them`,
        );
      }
      register(tool, provider);
    },
    registerLifecycle: (tool) => register(tool, lifecycleProvider),
    unregister(name, provider) {
      keep(name, (entry, isTop) => (provider === undefined ? !isTop : entry.provider !== provider));
    },
    clear(prefix) {
      for (const name of new Set([...before.keys(), ...touched.keys()])) {
        keep(name, (entry) => !isUnderProvider(entry.provider, prefix));
      }
    },
  });
  return touched;
}

/** Returns the difference that a change makes to the affected names. */
export function compareClaims(before: Claims, touched: Claims): ClaimDifference {
  const added: string[] = [];
  const removed: string[] = [];
  const replaced: string[] = [];
  for (const [name, claims] of touched) {
    const old = before.get(name) ?? [];
    if (claims.length === 0) removed.push(...(old.length === 0 ? [] : [name]));
    else if (old.length === 0) added.push(name);
    else if (!means(old, claims)) replaced.push(name);
  }
  return { added, removed, replaced };
}

/** Adds a tool above all others except lifecycle tools. Replaces an earlier tool of the same provider. */
function rank(held: readonly RegisteredTool[], entry: RegisteredTool): readonly RegisteredTool[] {
  const others = held.filter((claim) => claim.provider !== entry.provider);
  if (entry.provider === lifecycleProvider) return [...others, entry];
  const lifecycle = others.filter((claim) => claim.provider === lifecycleProvider);
  return [...others.filter((claim) => claim.provider !== lifecycleProvider), entry, ...lifecycle];
}

function means(one: readonly RegisteredTool[], other: readonly RegisteredTool[]): boolean {
  return one.at(-1)!.tool === other.at(-1)!.tool && one.at(-1)!.provider === other.at(-1)!.provider;
}

/** Returns the name of a valid tool. The name is read once and identifies the tool from then on. */
function checkRegistration(tool: AnyTool, provider: string): string {
  if (Array.isArray(tool)) {
    throw new HaftError('INVALID_TOOL', "can't register an array as one tool: spread it, as in register(...tools)");
  }
  const name: unknown = tool?.name;
  if (typeof name !== 'string' || !isWireName(name) || typeof tool.execute !== 'function') {
    const remedy = isAiSdkTool(tool) ? aiSdkRemedy : 'create tools with defineTool';
    throw new HaftError('INVALID_TOOL', `can't register ${JSON.stringify(name)}: ${remedy}`);
  }
  if (!hasMethods(tool.input, 'validate') || typeof tool.traits !== 'object') {
    throw new HaftError(
      'INVALID_TOOL',
      `can't register ${JSON.stringify(name)}: ${name} was not made by defineTool (expected defineTool({ … }))`,
    );
  }
  const contradiction = findContradiction(tool);
  if (contradiction !== undefined)
    throw new HaftError('INVALID_TOOL', `can't register ${JSON.stringify(name)}: ${contradiction}`);
  if (typeof provider !== 'string' || !isProviderPath(provider)) {
    throw new HaftError(
      'INVALID_OPTION',
      `${JSON.stringify(provider)} is not a provider path (expected one such as "dynamic/plugin/weather")`,
    );
  }
  return name;
}

/** Returns the provider under which a tool is registered unless another one is given. */
export function defaultProviderOf(tool: AnyTool | undefined): string {
  return tool?.provider ?? localProvider;
}

/**
 * Rejects two tools of a list with one name and provider, because the first of them would be lost.
 * @throws HaftError `DUPLICATE_TOOL`.
 */
export function checkDuplicates(tools: readonly AnyTool[]): void {
  const seen = new Map<string, AnyTool>();
  for (const tool of tools) {
    const key = `${defaultProviderOf(tool)} ${tool.name}`;
    const other = seen.get(key);
    seen.set(key, tool);
    if (other !== undefined && other !== tool)
      throw new HaftError(
        'DUPLICATE_TOOL',
        `two of the tools are named ${tool.name} (expected one tool for each name)`,
      );
  }
}
