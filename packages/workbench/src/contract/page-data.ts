/** The sections of the page, which change independently. The page reads a section again when it has changed. */
export const sectionNames = ['tools', 'calls', 'approvals', 'servers', 'changes', 'runs', 'jobs', 'chat'] as const;

/** Session of the calls that the page makes. */
export const ownSession = 'workbench';

/** Name of a section. */
export type SectionName = (typeof sectionNames)[number];

/** A tool in the list. */
export interface ToolSummary {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly provider: string;
  readonly kind: string;
  /** Traits that differ from those of a harmless tool, such as `destructive`. */
  readonly traits: readonly string[];
  /** Estimated tokens of the definition that a model reads: four characters count as one token. */
  readonly tokens: number;
}

/** The schema of a tool in one dialect. */
export interface DialectView {
  readonly dialect: string;
  readonly schema: unknown;
  readonly lost: readonly { readonly path: string; readonly keyword: string; readonly meaning: string }[];
  readonly tokens: number;
  /** Why the schema can't be converted. */
  readonly problem?: string;
}

/** A place in a source file, with a link that opens it in an editor. */
export interface SourceView {
  readonly path: string;
  readonly line: number;
  readonly url: string;
}

/** The lines around a line of a file. */
export interface CodeFrame {
  readonly path: string;
  readonly line: number;
  readonly lines: readonly { readonly number: number; readonly text: string }[];
}

/** A tool with its schemas. */
export interface ToolDetails extends ToolSummary {
  readonly schema: unknown;
  /** Arguments to begin with: defaults, examples and empty values of the required keys. */
  readonly example: unknown;
  readonly dialects: readonly DialectView[];
  /** Where the tool is defined, if that is known. */
  readonly source?: SourceView;
}

/** A call in the list. */
export interface CallSummary {
  /** Identifies the call in this list. IDs of models may repeat. */
  readonly key: string;
  readonly callId: string;
  readonly name: string;
  readonly state: 'running' | 'ok' | 'failed' | 'cancelled';
  /** One line: the summary of the result, the message of the error, or the latest progress. */
  readonly line: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Duration of the tool, in milliseconds. For a call that did not run: the time until its answer. */
  readonly durationMs?: number;
  /** Time before the tool ran, in milliseconds: waiting for a person or for other calls. */
  readonly waitedMs?: number;
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  readonly parentCallId?: string;
  /** Whether the page started the call, so that it can cancel it. */
  readonly isOwn: boolean;
}

/** The latest calls, and whether the program has a log of them. */
export interface CallList {
  readonly isLogged: boolean;
  readonly calls: readonly CallSummary[];
}

/** A call with its arguments and its result. */
export interface CallDetails extends CallSummary {
  /** Where its tool is defined, if that is known. */
  readonly source?: SourceView;
  /** The arguments as JSON, with secrets masked. */
  readonly arguments: string;
  /** The text that the model reads. */
  readonly forModel?: string;
  /** The text for users: the summary, and the diff of a file. */
  readonly forPerson?: { readonly summary: string; readonly diff?: string };
  readonly structured?: string;
  readonly effects: readonly string[];
  readonly advisories: readonly string[];
  /** Repairs and coercions of the arguments. */
  readonly reading: readonly string[];
  /** ID of the recorded changes of this call, if it changed files. */
  readonly changeId?: string;
  readonly error?: { readonly code: string; readonly fault: string; readonly message: string; readonly hint?: string };
}

/** A question that waits for an answer. */
export interface ApprovalView {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly callId: string;
  readonly tool: string;
  readonly provider: string;
  readonly title: string;
  /** The exact arguments as JSON. */
  readonly arguments: string;
  readonly command?: string;
  /** The commands that the shell would run, in their order, with their redirections. */
  readonly commands: readonly string[];
  /** Whether the command line is one simple command, for which a pattern can be allowed. */
  readonly isSimpleCommand: boolean;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly cwd: string;
  readonly sessionId: string;
  readonly reason: string;
  readonly ruleKey?: string;
  readonly uncertainties: readonly string[];
}

/** An MCP server or a plugin. */
export interface ServerView {
  readonly type: 'server' | 'plugin';
  readonly name: string;
  readonly state: string;
  /** Whether its tools can be used now. */
  readonly isReady: boolean;
  readonly version?: string;
  readonly url?: string;
  readonly tools: readonly string[];
  /** The reason why it does not work. */
  readonly reason?: string;
  /** The lines of the plugin that failed. */
  readonly failure?: { readonly frame: CodeFrame; readonly url: string };
  /** The command that a user can approve here. */
  readonly command?: ServerCommand;
  /** Revision of the protocol. */
  readonly protocol?: string;
  readonly pid?: number;
  /** The last text on its standard error. */
  readonly stderr?: string;
  /** URL at which the user logs in. */
  readonly login?: string;
  /** Tools that the server has changed, and that can't be used until the user approves the change. */
  readonly changes: readonly { readonly tool: string; readonly fields: readonly string[]; readonly diff: string }[];
  /** Number of recorded protocol messages. */
  readonly messages: number;
}

/** A command that starts a server, as the user approves it. */
export interface ServerCommand {
  readonly line: string;
  /** Working directory; undefined for that of the program. */
  readonly cwd: string | undefined;
  /** Environment variables, as `NAME=value`. */
  readonly env: readonly string[];
  /** Identifies the command with its variables. */
  readonly hash: string;
}

/** A protocol message of a server. */
export interface ServerMessageView {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly from: 'client' | 'server';
  /** The method or, for a response, the method of its request. */
  readonly title: string;
  readonly isError: boolean;
  readonly text: string;
}

/** A tool as a reader of texts needs it. */
export interface CallableToolView {
  readonly name: string;
  /** The JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Other names that a model may use for an argument. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
}

/** The questions, and whether the program has a queue for them. */
export interface ApprovalList {
  readonly isConnected: boolean;
  readonly questions: readonly ApprovalView[];
}

/** The servers, and whether the program has a toolkit. */
export interface ServerList {
  readonly isConnected: boolean;
  readonly servers: readonly ServerView[];
}
