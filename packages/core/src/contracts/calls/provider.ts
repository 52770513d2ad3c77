import type { Prompt } from '../conversation/prompt.ts';
import type { Resource } from '../results/resource.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { TurnHooks } from '../conversation/turn-hooks.ts';
import type { DispatchMiddleware } from './middleware.ts';

/** What brings tools at run time: plugins, generated tools, MCP connections. */
export interface ToolProvider {
  /** Provider path, such as `dynamic/plugin/weather`. */
  readonly path: string;
  /** Tools that manage this provider; registered last in every batch, under `lifecycle`. */
  readonly lifecycleTools: readonly AnyTool[];
  start(): Promise<void>;
  /** Starts, and brings back what was kept from another run; any number of times. Absent where nothing is kept. */
  restore?(): Promise<RestoreReport>;
  stop(): Promise<void>;
  /** Prompts that it brings besides tools, sorted by name: the same list until one comes or goes. Absent where it never brings any. */
  prompts?(): readonly Prompt[];
  /** Resources that it brings besides tools, sorted by URI: the same list until one comes or goes. Absent where it never brings any. */
  resources?(): readonly Resource[];
  /**
   * Hooks that it brings, whichever these are at the time: `middleware` for a dispatcher and `turnHooks` for a loop. Absent where
   * it never brings any.
   */
  readonly hooks?: DispatchMiddleware & TurnHooks;
  /** Tells when tools, prompts or resources came or went; returns how to stop listening. */
  onChange(listener: () => void): () => void;
}

/** What became of the tools that a provider kept from another run. */
export interface RestoreReport {
  /** Names of the tools that can be called again. */
  readonly restored: readonly string[];
  /** Their names belong to somebody else: built-in tools, for one, come first. */
  readonly shadowed: readonly RestoreProblem[];
  /** They are remembered, but what they are made of is gone. */
  readonly missing: readonly RestoreProblem[];
  /** They are not what was approved, and are not run until they are approved again. */
  readonly changed: readonly RestoreProblem[];
  /** They can't be read or loaded. */
  readonly failed: readonly RestoreProblem[];
}

/** A tool that was not brought back, and why. */
export interface RestoreProblem {
  readonly name: string;
  readonly reason: string;
}
