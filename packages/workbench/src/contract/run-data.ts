/** A recorded run in the list. */
export interface RunSummary {
  readonly id: string;
  readonly runId: string;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The stop reason of the run, or `unfinished` while its recording has no end. */
  readonly state: string;
  readonly prompt: string;
  readonly turns: number;
  readonly calls: number;
  readonly tokens?: number;
  readonly costUsd?: number;
}

/** One call of a recorded turn. */
export interface RunCall {
  readonly id: string;
  readonly name: string;
  /** The arguments that ran, as JSON. */
  readonly arguments: string;
  /** The arguments as the model wrote them, if they differ. */
  readonly written?: string;
  readonly state: 'ok' | 'failed' | 'unanswered';
  /** The text that the model read. */
  readonly forModel: string;
  /** Error code of a failed call. */
  readonly code?: string;
  /** Milliseconds since the start of the first call of the run. */
  readonly startMs?: number;
  readonly durationMs?: number;
}

/** One request to the model with its answer. */
export interface RunTurn {
  readonly turn: number;
  /** Messages that are new in this request, without the model's own answers and the results of calls. */
  readonly added: readonly { readonly role: string; readonly text: string }[];
  readonly tools: number;
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly RunCall[];
  readonly finish: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly costUsd?: number;
}

/** A recorded run. */
export interface RunDetails extends RunSummary {
  readonly text: string;
  readonly error?: string;
  readonly steps: readonly RunTurn[];
  /** Milliseconds from the start of the first call to the end of the last. */
  readonly spanMs: number;
  readonly canReplay: boolean;
}

/** The recorded runs, and whether the program keeps any. */
export interface RunList {
  readonly isConnected: boolean;
  readonly runs: readonly RunSummary[];
}

/** A change to a recorded turn. */
export interface RunEdit {
  readonly turn: number;
  /**
   * `prompt`: the task of the run. `text`: the model's answer. `arguments`: the arguments of a call. `result`: the text
   * that the model reads.
   */
  readonly what: 'prompt' | 'text' | 'arguments' | 'result';
  /** Index of the call, for `arguments` and `result`. */
  readonly call: number;
  readonly value: string;
}

/** The result of replaying a run. */
export interface ReplayView {
  readonly stopReason: string;
  readonly text: string;
  readonly turns: number;
  readonly divergence?: {
    readonly turn: number;
    readonly what: string;
    readonly path: string;
    readonly expected: string;
    readonly actual: string;
  };
}
