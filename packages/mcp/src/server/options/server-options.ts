import type { AnyTool, ToolRegistry, ToolSource } from '@haft/core';
import type { Library } from '../../library/create-library.ts';
import type { SkillDirectory } from '../../skills/open-skill-directory.ts';
import type { TaskOptions } from '../../tasks/task-options.ts';

/** Server options for every transport. */
export interface ServerOptions {
  /** Name of the server. Default `haft`. */
  readonly name?: string;
  readonly version?: string;
  /** Instructions for the clients' models. */
  readonly instructions?: string;
  /** Selects the tools that clients see and may call. Default: all visible tools. */
  readonly expose?: (tool: AnyTool, provider: string) => boolean;
  /** The model to compare with the `supportedModels` of tools. Default: a model named `mcp`. */
  readonly model?: { readonly name: string; readonly vendor?: string };
  /** Maximum number of calls that run at once. Default 8. */
  readonly maxParallel?: number;
  /** Resources, templates and prompts to serve. */
  readonly library?: Library;
  /** Skills to serve, opened by `openSkillDirectory`. */
  readonly skills?: SkillDirectory;
  /**
   * Lets calls outlive their request as protocol tasks, for clients that support them. Tasks live in this
   * process. Default: every request waits for its call.
   */
  readonly tasks?: TaskOptions;
  /**
   * Key that signs a client's earlier answers, which the client sends back with each round of a call: at least 32 bytes,
   * the same for all replicas of a server. Default: random, for this process.
   */
  readonly stateKey?: string | Uint8Array;
  /** Subscribes to changes of the tools. Default: the source's registry, if it has one. */
  readonly onChange?: (listener: () => void) => () => void;
  /** Called with errors that occur outside of calls. Default: ignored. */
  readonly onWarning?: (error: Error) => void;
}

/** A source of tools to serve, usually a dispatcher. */
export type ServableSource = ToolSource & { readonly registry?: ToolRegistry };
