/** A call as hooks see it. */
export interface HookedCall {
  readonly id: string;
  /** Name of the tool. */
  readonly name: string;
  /** Provider path of the tool, such as `builtin`. */
  readonly provider: string;
  /** Before the call: as they fit the tool's schema; after it: as the tool was given them. */
  readonly arguments: unknown;
  /** Empty where the call belongs to no session or run. */
  readonly sessionId: string;
  readonly runId: string;
  /** 0 outside of a run. */
  readonly turn: number;
}

/** A call's result as hooks see it. */
export interface HookedResult {
  readonly ok: boolean;
  /** What the model is about to read. */
  readonly text: string;
  /** Of the error, where it failed. */
  readonly code?: string;
}

/** A turn as hooks see it: one request to the model and the calls it makes. */
export interface HookedTurn {
  readonly runId: string;
  readonly sessionId: string;
  /** Counts from 1. */
  readonly turn: number;
  readonly modelName: string;
  /** The last 20 messages, each cut to 10,000 characters, images and sounds left out. */
  readonly messages: readonly { readonly role: string; readonly text: string }[];
}

/** What a model has answered in a turn. */
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

/** Says no. The reason is one sentence that the model and a person can read. */
export interface HookDenial {
  readonly deny: string;
}

/** Nothing, when all is well; a promise of it does as well. */
type Answer<Change> = undefined | void | HookDenial | Change | Promise<undefined | void | HookDenial | Change>;

/**
 * What somebody does around calls and turns that are not his own. Calls of lifecycle tools pass by. The last thing that each
 * is given is a signal that aborts when its time is over.
 */
export interface Hooks {
  /** Names of the tools whose calls it is asked about; default all. Turns are not meant. */
  readonly tools?: readonly string[];
  /**
   * What it means that a hook throws, ends, answers nonsense, or not in time. Default `true`: the call does not run, its
   * result is withheld, the run ends. `false`: it goes on as if there were no hook, for what only watches.
   */
  readonly required?: boolean;
  /** Milliseconds that each answer may take; default 5,000, at most 30,000. */
  readonly timeoutMs?: number;
  /** Before a call, and before permission is asked for it: denies it, or gives other arguments, which are checked against the tool's schema. */
  beforeCall?(call: HookedCall, signal: AbortSignal): Answer<{ readonly arguments: unknown }>;
  /** After a call: keeps the result from the model, or puts a text in its place; what was done is done. */
  afterCall?(call: HookedCall, result: HookedResult, signal: AbortSignal): Answer<{ readonly text: string }>;
  /** Before a request to the model: ends the run, or adds a note to the conversation. */
  beforeTurn?(turn: HookedTurn, signal: AbortSignal): Answer<{ readonly note: string }>;
  /** After the answer and its calls: ends the run and withholds the text, or puts another in its place. */
  afterTurn?(turn: HookedTurn, answer: HookedAnswer, signal: AbortSignal): Answer<{ readonly text: string }>;
}

/** Members of {@link Hooks} that are functions. */
export type HookName = 'beforeCall' | 'afterCall' | 'beforeTurn' | 'afterTurn';

/** Every {@link HookName}. */
export const hookNames: readonly HookName[] = ['beforeCall', 'afterCall', 'beforeTurn', 'afterTurn'];

/** Milliseconds that a hook may take to answer: when it does not say, and at most. */
export const hookTimes: { readonly default: number; readonly longest: number } = { default: 5_000, longest: 30_000 };

/** Hooks wherever they run: in this program, in a plugin's process, as a command. */
export interface HookSet {
  /** Who it is, for messages: `the plugin weather`. */
  readonly owner: string;
  /** Names of tools; `undefined` for all. */
  readonly tools: readonly string[] | undefined;
  readonly required: boolean;
  readonly timeoutMs: number;
  readonly names: readonly HookName[];
  /** Resolves to what the hook answers, whatever that is; rejects with what it throws. Nobody waits for it once the signal has aborted. */
  ask(name: HookName, given: readonly unknown[], signal: AbortSignal): Promise<unknown>;
}
