/** A command to run: a program and its arguments, passed as they are, without a shell. */
export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute working directory. */
  readonly cwd: string;
  /** All variables it gets. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Aborting it ends the command and all it started. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onOutput: (text: string) => void;
}

/** How a command ended. */
export interface ProcessOutcome {
  /** Null when a signal ended it, or when it never started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** Why it never started. */
  readonly failure: { readonly code: string; readonly message: string } | null;
  /** What it printed, bounded. */
  readonly output: { readonly text: string };
  readonly pid: number | null;
}

/** What starts programs and sees to it that they end. `import * as sandbox from '@haft/sandbox'` is one. */
export interface ProcessRunner {
  /** Where the program is that a command names; `undefined` when there is none that may be run. */
  findExecutable(command: string, environment: Readonly<Record<string, string>>, cwd: string): string | undefined;
  /** The variables a command gets: none that hold secrets, unless they are allowed by name. */
  createCleanEnvironment(options?: {
    readonly allow?: readonly string[];
    readonly set?: Readonly<Record<string, string>>;
  }): Readonly<Record<string, string>>;
  /** Runs a command to its end. Resolves always. */
  runProcess(request: ProcessRequest): Promise<ProcessOutcome>;
}
