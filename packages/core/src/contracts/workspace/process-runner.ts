/** A command to run: a program and its arguments, passed without a shell. */
export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path of the working directory. */
  readonly cwd: string;
  /** The complete environment of the command. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Aborting this signal ends the command and all of its child processes. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onOutput: (text: string) => void;
}

/** The outcome of a command. */
export interface ProcessOutcome {
  /** Null if a signal ended the command or it never started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** Why the command did not start. */
  readonly failure: { readonly code: string; readonly message: string } | null;
  /** The output, up to a size limit. */
  readonly output: { readonly text: string };
  readonly pid: number | null;
}

/** Starts programs and ensures that they end. `import * as sandbox from '@haft/sandbox'` implements this interface. */
export interface ProcessRunner {
  /** Returns the path of a command's executable, or `undefined` if no permitted executable is found. */
  findExecutable(command: string, environment: Readonly<Record<string, string>>, cwd: string): string | undefined;
  /** Returns an environment without secrets, except for variables that are allowed by name. */
  createCleanEnvironment(options?: {
    readonly allow?: readonly string[];
    readonly set?: Readonly<Record<string, string>>;
  }): Readonly<Record<string, string>>;
  /** Runs a command until it ends. Never rejects. */
  runProcess(request: ProcessRequest): Promise<ProcessOutcome>;
}
