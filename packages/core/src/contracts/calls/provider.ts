import type { Prompt } from '../conversation/prompt.ts';
import type { Resource } from '../results/resource.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { TurnHooks } from '../conversation/turn-hooks.ts';
import type { DispatchMiddleware } from './middleware.ts';

/** A source of tools at run time, such as plugins, generated tools or MCP connections. */
export interface ToolProvider {
  /** Provider path, such as `dynamic/plugin/weather`. */
  readonly path: string;
  /** Tools that manage this provider. Each batch registers them last, under `lifecycle`. */
  readonly lifecycleTools: readonly AnyTool[];
  start(): Promise<void>;
  /**
   * Starts the provider and restores tools saved by an earlier run. Can be called repeatedly. Absent if the provider
   * saves nothing.
   */
  restore?(): Promise<RestoreReport>;
  stop(): Promise<void>;
  /**
   * Prompts of the provider, sorted by name. Returns the same array until a prompt is added or removed. Absent if the
   * provider never has prompts.
   */
  prompts?(): readonly Prompt[];
  /**
   * Resources of the provider, sorted by URI. Returns the same array until a resource is added or removed. Absent if
   * the provider never has resources.
   */
  resources?(): readonly Resource[];
  /**
   * Current hooks of the provider: pass them as `middleware` to a dispatcher and as `turnHooks` to a loop. Absent if
   * the provider never has hooks.
   */
  readonly hooks?: DispatchMiddleware & TurnHooks;
  /**
   * Registers a listener for added or removed tools, prompts and resources. Returns a function that removes the
   * listener.
   */
  onChange(listener: () => void): () => void;
}

/** The outcome of restoring the tools that a provider saved in an earlier run. */
export interface RestoreReport {
  /** Names of the tools that are callable again. */
  readonly restored: readonly string[];
  /** Tools whose names are taken by other tools, such as built-in tools. */
  readonly shadowed: readonly RestoreProblem[];
  /** Tools that are recorded but whose source files are missing. */
  readonly missing: readonly RestoreProblem[];
  /** Tools that changed since they were approved. They do not run until they are approved again. */
  readonly changed: readonly RestoreProblem[];
  /** Tools that cannot be read or loaded. */
  readonly failed: readonly RestoreProblem[];
}

/** A tool that was not restored, with the reason. */
export interface RestoreProblem {
  readonly name: string;
  readonly reason: string;
}
