import type { CompiledSchema, Issue } from '@haft/schema';
import type { ContentPart } from '../results/content.ts';
import type { FoundTarget, PermissionDecision, ResolvedFile } from '../permission/permission.ts';
import type { ProgressUpdate } from './progress.ts';
import type { Logger, Session } from '../workspace/session.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Footprint } from '../permission/footprint.ts';
import type { Resource } from '../results/resource.ts';
import type { ToolFailure, ToolResult } from '../results/result.ts';
import type { ToolKind, ToolTraits } from '../permission/traits.ts';

/** Whether a tool can be used now: yes, or why not. */
export type Availability = true | { readonly reason: string };

/** Where a tool is about to be listed, for descriptions that depend on it. */
export interface DescriptionContext {
  /** The model that will read it; `undefined` when nobody in particular will. */
  readonly model: { readonly name: string; readonly vendor?: string } | undefined;
  /** Whether a tool of that name is listed as well, so that no other is recommended than there is. */
  readonly has: (name: string) => boolean;
}

/** Arguments that a model is still writing. */
export interface StreamedInput {
  readonly callId: string;
  /** What has been read of them so far: not validated, and the same object each time, which grows in place. */
  readonly partial: unknown;
  /** The pieces by which texts in it grew since the last time. */
  readonly deltas: readonly { readonly path: readonly (string | number)[]; readonly text: string }[];
}

/** How likely and with what defaults a tool should be offered. */
export interface ToolPreference {
  readonly enabled?: boolean;
  /** Where not all tools are shown (`createToolSearch`), the heaviest are, and those of weight 0 or less have to be found. */
  readonly weight?: number;
  /** Values for arguments that the model left out; reported as coercions. */
  readonly overrides?: Readonly<Record<string, unknown>>;
}

/**
 * What a body may give back. Nothing becomes an empty success, a string becomes text, bytes become an image, a sound
 * or a blob by their first bytes, a {@link Resource} a resource part, content parts themselves, a {@link ToolResult}
 * is taken as it is, and any other value is JSON (and the result's `structured`).
 */
export type ToolReturn = unknown;

/** A tool as everything in Haft handles it; made by `defineTool`. */
export interface Tool<Arguments = unknown> {
  readonly name: string;
  readonly title: string;
  /** What a model reads when nothing more is known; see `describe`. */
  readonly description: string;
  readonly input: CompiledSchema<Arguments>;
  readonly output: CompiledSchema | undefined;
  readonly kind: ToolKind;
  readonly traits: ToolTraits;
  /** Whether calls may overlap in time with others when no footprint says more. */
  readonly parallelizable: boolean;
  /** Milliseconds a call may take; default 120,000. */
  readonly timeoutMs: number;
  /** Globs over `vendor/model`; `undefined` means every model. */
  readonly supportedModels: readonly string[] | undefined;
  readonly supportsInputStreaming: boolean;
  readonly preference: ToolPreference;
  /** Other names under which models write an argument, by the name it has here. */
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  /** Where it comes from when it is not written in this program: `cli` for a command line, else `native`. */
  readonly type: 'native' | 'cli';
  /** The provider it is registered under when none is named, such as `builtin`. */
  readonly provider?: string;
  /** Milliseconds that an answer of `available` holds; default: what the registry says. */
  readonly availabilityTtlMs?: number;
  /** What this model reads, worked out at each listing; where it throws or says nothing, `description` stands. */
  describe?(context: DescriptionContext): string;
  available?(): Availability | Promise<Availability>;
  footprint?(args: Arguments, context: { readonly cwd: string }): Footprint;
  /** The tool's own check, after the schema and before permission; its issues keep the body from running. */
  check?(args: Arguments, context: ToolContext): readonly Issue[] | Promise<readonly Issue[]>;
  /** One line that says what a call with these arguments is about to do. */
  initialTitle?(args: Arguments): string;
  onFailure?(result: ToolFailure, args: Arguments): void;
  /** Hears the arguments grow while a model writes them, for showing; the call itself comes later, if it comes. */
  onInput?(input: StreamedInput): void;
  /** Puts a structured answer that brings no words of its own into words for the model. */
  renderModel?(output: unknown, args: Arguments): ToolContent;
  /** Whether the model may choose, by an argument `output`, between those words and the structured answer as JSON. */
  readonly outputModes?: boolean;
  execute(args: Arguments, context: ToolContext): ToolReturn;
}

/** What a tool body is given besides its arguments. */
export interface ToolContext {
  /** Absolute working directory. */
  readonly cwd: string;
  readonly writeRoots: readonly string[] | 'unrestricted';
  readonly workspace: Workspace;
  /** Aborts when the call is cancelled or its deadline passes; the same object for the whole call. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch at which the call times out. */
  readonly deadline: number;
  readonly now: () => number;
  readonly logger: Logger;
  /** Reports progress: a message, or how much of a total is done. Never throws. */
  readonly progress: (update: ProgressUpdate | string) => void;
  /** What the engine that allowed the call has to say. */
  readonly permission: {
    /** Asks it about a target found on the way. */
    ask(target: FoundTarget): Promise<PermissionDecision>;
    /** Where the files of the call's own footprint led when it was allowed; absent when the engine did not look. */
    readonly resolved?: readonly ResolvedFile[];
  };
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  readonly messageId: string;
  readonly inferenceId: string;
  readonly callId: string;
  /** The call that this one is made for, where there is one. */
  readonly parentCallId?: string | undefined;
  /** The tools that there were to call together with this one: what the model was shown, or else the newest. */
  readonly snapshot?: ToolSnapshot;
  readonly modelName: string;
  readonly session: Session;
  /** Further resources handed to the call. */
  readonly resources: readonly Resource[];
}

/** The tools of one moment: immutable, sorted by name; what a search found comes after what was there before. */
export interface ToolSnapshot {
  /** Grows with every change of the registry. */
  readonly version: number;
  readonly tools: readonly AnyTool[];
  readonly names: readonly string[];
  get(name: string): AnyTool | undefined;
  has(name: string): boolean;
  /** Provider path of a tool of this snapshot. */
  providerFor(name: string): string | undefined;
}

/** A tool whose argument type has been forgotten, as registries store it. */
export type AnyTool = Tool;

/** Content parts, or what can be made into them. */
export type ToolContent = string | ContentPart | readonly ContentPart[];

/** Everything a body may return that is not JSON. */
export type WrappedReturn = ToolResult | Resource | Uint8Array | string | undefined;
