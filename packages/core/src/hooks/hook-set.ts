/** The call data that hooks receive. */
export interface HookedCall {
  readonly id: string;
  /** Name of the tool. */
  readonly name: string;
  /** Provider path of the tool, such as `builtin`. */
  readonly provider: string;
  /** Before the call: the validated arguments. After the call: the arguments that the tool received. */
  readonly arguments: unknown;
  /** Empty if the call has no session or run. */
  readonly sessionId: string;
  readonly runId: string;
  /** 0 outside of a run. */
  readonly turn: number;
}

/** The result of a call that hooks receive. */
export interface HookedResult {
  readonly ok: boolean;
  /** The text that the model will read. */
  readonly text: string;
  /** The error code of a failed call. */
  readonly code?: string;
}

/** The turn data that hooks receive. A turn is one request to the model plus the calls that the model makes. */
export interface HookedTurn {
  readonly runId: string;
  readonly sessionId: string;
  /** Number of the turn, starting at 1. */
  readonly turn: number;
  readonly modelName: string;
  /** The last 20 messages, each cut to 10,000 characters, without images and audio. */
  readonly messages: readonly { readonly role: string; readonly text: string }[];
}

/** The answer of a model in a turn. */
export interface HookedAnswer {
  readonly text: string;
  readonly finishReason: string;
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly ok: boolean;
    readonly code?: string;
  }[];
}

/** A denial. The reason is one sentence for the model and the user. */
export interface HookDenial {
  readonly deny: string;
}

/** `undefined` allows the operation. A hook may also return a promise. */
type Answer<Change> = undefined | void | HookDenial | Change | Promise<undefined | void | HookDenial | Change>;

/**
 * Hooks around calls and turns. Hooks do not apply to calls of lifecycle tools. The last argument of each hook is a
 * signal that aborts when the hook times out.
 */
export interface Hooks {
  /** Names of the tools to which the call hooks apply. Default: all tools. Does not affect turn hooks. */
  readonly tools?: readonly string[];
  /**
   * Whether a failure of the hook (it throws, exits, returns an invalid answer or times out) denies the operation.
   * Default `true`: the call does not run, its result is withheld, or the run ends. `false`: the operation continues as
   * if the hook did not exist. Use `false` for hooks that only observe.
   */
  readonly required?: boolean;
  /** Timeout of each hook in milliseconds. Default: 5,000. Maximum: 30,000. */
  readonly timeoutMs?: number;
  /**
   * Runs before a call and before its permission check. Denies the call or returns other arguments, which are validated
   * against the tool's schema.
   */
  beforeCall?(call: HookedCall, signal: AbortSignal): Answer<{ readonly arguments: unknown }>;
  /**
   * Runs after a call. Withholds the result from the model or replaces it with a text. The effects of the call remain.
   */
  afterCall?(call: HookedCall, result: HookedResult, signal: AbortSignal): Answer<{ readonly text: string }>;
  /** Runs before a request to the model. Ends the run or adds a note to the conversation. */
  beforeTurn?(turn: HookedTurn, signal: AbortSignal): Answer<{ readonly note: string }>;
  /** Runs after the answer and its calls. Ends the run and withholds the text, or replaces the text. */
  afterTurn?(turn: HookedTurn, answer: HookedAnswer, signal: AbortSignal): Answer<{ readonly text: string }>;
}

/** Members of {@link Hooks} that are functions. */
export type HookName = 'beforeCall' | 'afterCall' | 'beforeTurn' | 'afterTurn';

/** Every {@link HookName}. */
export const hookNames: readonly HookName[] = ['beforeCall', 'afterCall', 'beforeTurn', 'afterTurn'];

/** Default and maximum timeout of a hook in milliseconds. */
export const hookTimes: { readonly default: number; readonly longest: number } = { default: 5_000, longest: 30_000 };

/** Hooks that run in this program, in a plugin's process or as a command. */
export interface HookSet {
  /** The owner for messages, such as `the plugin weather`. */
  readonly owner: string;
  /** Names of tools. `undefined` means all tools. */
  readonly tools: readonly string[] | undefined;
  readonly required: boolean;
  readonly timeoutMs: number;
  readonly names: readonly HookName[];
  /**
   * Resolves to the unvalidated answer of the hook. Rejects if the hook throws. The result is ignored once the signal
   * aborts.
   */
  ask(name: HookName, given: readonly unknown[], signal: AbortSignal): Promise<unknown>;
}
