import type { CompiledSchema, Issue } from '@haft/schema';
import type { Model } from '../conversation/model.ts';
import type { ContentPart } from '../results/content.ts';
import type { FoundTarget, PermissionDecision, ResolvedFile } from '../permission/permission.ts';
import type { ProgressUpdate } from './progress.ts';
import type { Logger, Session } from '../workspace/session.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Footprint } from '../permission/footprint.ts';
import type { Resource } from '../results/resource.ts';
import type { ToolFailure, ToolResult } from '../results/result.ts';
import type { ToolKind, ToolTraits } from '../permission/traits.ts';

/**
 * Whether a tool is available, or the reason why not. `retryable` becomes that of the error; default true. Set it to
 * false if a person has to act before the tool can be used, for example to approve a change.
 */
export type Availability = true | { readonly reason: string; readonly retryable?: boolean };

/** Describes where a tool is listed, for dynamic descriptions. */
export interface DescriptionContext {
  /** The model that will read the description. `undefined` if the model is not known. */
  readonly model: { readonly name: string; readonly vendor?: string } | undefined;
  /** Checks whether a tool with this name is listed too, so that a description only recommends tools that exist. */
  readonly has: (name: string) => boolean;
}

/** Arguments that a model is still writing. */
export interface StreamedInput {
  readonly callId: string;
  /** The arguments parsed so far. They are not validated. It is the same object each time and is updated in place. */
  readonly partial: unknown;
  /** The text added to string values since the last update. */
  readonly deltas: readonly { readonly path: readonly (string | number)[]; readonly text: string }[];
}

/** A user's preferences for a tool. */
export interface ToolPreference {
  readonly enabled?: boolean;
  /**
   * Priority when only some tools are shown (`createToolSearch`): the heaviest tools are shown. Tools with weight 0 or
   * less are only available through search.
   */
  readonly weight?: number;
  /** Defaults for arguments that the model omitted. They are reported as coercions. */
  readonly overrides?: Readonly<Record<string, unknown>>;
}

/**
 * The return value of a tool body. `undefined` becomes an empty success and a string becomes text. Bytes become an
 * image, audio or a blob, depending on their first bytes. A {@link Resource} becomes a resource part. Content parts and
 * a {@link ToolResult} are used as they are. An `Error` counts as thrown. Any other value becomes JSON and the `structured` value of the result.
 */
export type ToolReturn = unknown;

/**
 * How much of a thrown error a model sees. `message`: its text on one line, with paths, stack frames, internal
 * addresses and secrets masked. `redact`: only that the tool failed.
 */
export type ThrownErrors = 'message' | 'redact';

/** A tool. Created by `defineTool`. */
export interface Tool<Arguments = unknown> {
  readonly name: string;
  readonly title: string;
  /** The default description for models. See `describe`. */
  readonly description: string;
  /** Additional text that `search_tools` searches. Models do not see it. */
  readonly searchText?: string;
  readonly input: CompiledSchema<Arguments>;
  readonly output: CompiledSchema | undefined;
  readonly kind: ToolKind;
  readonly traits: ToolTraits;
  /**
   * Whether calls may run concurrently with others. If not, and if the tool has no footprint, its calls run alone. With
   * a footprint, the footprint decides, except in the batch mode `parallelizable`, and unless `runsAlone` is set.
   */
  readonly parallelizable: boolean;
  /** Whether every call runs alone, whatever its footprint. Set if the definition says `parallelizable: false`. */
  readonly runsAlone?: boolean;
  /** Timeout of a call in milliseconds. Default: 120,000. */
  readonly timeoutMs: number;
  /** Globs that match `vendor/model`, the model or the vendor. `undefined` means every model. */
  readonly supportedModels: readonly string[] | undefined;
  /** Whether the model sees the text of errors that the tool throws. Default: the setting of the dispatcher. */
  readonly errors?: ThrownErrors;
  readonly supportsInputStreaming: boolean;
  readonly preference: ToolPreference;
  /** Alternative names that models use for arguments, by argument name. */
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  /** `cli` for a tool that runs a command line, otherwise `native`. */
  readonly type: 'native' | 'cli';
  /** The default provider to register the tool under, such as `builtin`. */
  readonly provider?: string;
  /** How long a result of `available` is cached, in milliseconds. Default: the setting of the registry. */
  readonly availabilityTtlMs?: number;
  /**
   * Returns the description for a model each time the tool is listed. If it throws or returns nothing, `description` is
   * used.
   */
  describe?(context: DescriptionContext): string;
  available?(): Availability | Promise<Availability>;
  footprint?(args: Arguments, context: { readonly cwd: string }): Footprint;
  /**
   * Performs the tool's own validation, after the schema and before the permission check. If it returns issues, the
   * body does not run.
   */
  check?(args: Arguments, context: ToolContext): readonly Issue[] | Promise<readonly Issue[]>;
  /** Returns one line that describes what a call with these arguments is about to do. */
  initialTitle?(args: Arguments): string;
  onFailure?(result: ToolFailure, args: Arguments): void;
  /** Called while a model writes the arguments, for display only. The call may never follow. */
  onInput?(input: StreamedInput): void;
  /** Renders a structured result as content for the model if the result has no content of its own. */
  renderModel?(output: unknown, args: Arguments): ToolContent;
  /** Whether the model can choose, with an argument `output`, between rendered content and JSON. */
  readonly outputModes?: boolean;
  /**
   * Finds out whether an interrupted call with this key had its effect. For programs that repeat calls after a crash:
   * the dispatcher never calls it.
   */
  recover?(args: Arguments, context: { readonly key: string; readonly signal: AbortSignal }): MaybePromise<Recovery>;
  execute(args: Arguments, context: ToolContext): ToolReturn;
}

type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Whether an interrupted call had its effect. `done` as an object also has the result that the call would have
 * returned.
 */
export type Recovery = 'done' | 'not-done' | 'unknown' | { readonly done: ToolReturn };

/** The context that a tool body receives besides its arguments. */
export interface ToolContext {
  /** Absolute path of the working directory. */
  readonly cwd: string;
  readonly writeRoots: readonly string[] | 'unrestricted';
  readonly workspace: Workspace;
  /** Aborts when the call is cancelled or times out. It is the same object for the whole call. */
  readonly signal: AbortSignal;
  /** When the call times out, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly now: () => number;
  readonly logger: Logger;
  /** Reports progress: a message, or the completed part of a total. Never throws. */
  readonly progress: (update: ProgressUpdate | string) => void;
  /** Access to the permission engine that allowed the call. */
  readonly permission: {
    /** Requests permission for a target that the body discovered. */
    ask(target: FoundTarget): Promise<PermissionDecision>;
    /** Real paths of the footprint's files when the call was allowed. Absent if the engine did not resolve them. */
    readonly resolved?: readonly ResolvedFile[];
  };
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  readonly messageId: string;
  readonly inferenceId: string;
  readonly callId: string;
  /** The same for every attempt of one piece of work. `undefined` if the caller gave no key. */
  readonly idempotencyKey?: string | undefined;
  /** ID of the call that makes this call, if any. */
  readonly parentCallId?: string | undefined;
  /** The tools available with this call: the snapshot that the model was shown, or else the current one. */
  readonly snapshot?: ToolSnapshot;
  readonly modelName: string;
  /** The model of the run that makes the call, if there is one. */
  readonly model?: Model | undefined;
  readonly session: Session;
  /** Additional resources passed to the call. */
  readonly resources: readonly Resource[];
}

/**
 * An immutable set of tools at one point in time, sorted by name. Tools found by a search follow the tools that were
 * shown before.
 */
export interface ToolSnapshot {
  /** Increases with every change of the registry. */
  readonly version: number;
  readonly tools: readonly AnyTool[];
  readonly names: readonly string[];
  get(name: string): AnyTool | undefined;
  has(name: string): boolean;
  /** Returns the provider path of a tool in this snapshot, or of an unavailable one. */
  providerFor(name: string): string | undefined;
  /**
   * Returns a tool that is missing from this snapshot only because it was not available, so that a call of it can be
   * answered with the reason. Absent if there is no such tool.
   */
  readonly unavailable?: ((name: string) => AnyTool | undefined) | undefined;
}

/** A tool with its argument type erased, as stored in registries. */
export type AnyTool = Tool;

/** Content parts, or values that can be converted to content parts. */
export type ToolContent = string | ContentPart | readonly ContentPart[];

/** Values other than JSON that a body may return. */
export type WrappedReturn = ToolResult | Resource | Uint8Array | string | undefined;
