import type { ToolKind } from '@haft/core';

/** A question for the user about one call. */
export interface PermissionQuestion {
  /** The call that asks. Equal calls that wait at the same time and only read share the question of the first one. */
  readonly callId: string;
  readonly tool: string;
  readonly provider: string;
  readonly kind: ToolKind;
  /** One line that describes the call: the tool's `initialTitle`, otherwise its `title` or its name. */
  readonly title: string;
  /** The final arguments. */
  readonly arguments: unknown;
  /** The command line, for a tool that runs one. */
  readonly command?: string;
  /** Files the call would read and write, with links resolved; folders end in a slash. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Working directory of the workspace. `/` for a dispatcher without a workspace, whose tools have no files. */
  readonly cwd: string;
  /**
   * The `sessionId` of the call's context, otherwise its `runId`. Empty if the program gave neither: the answer can't count
   * for a session.
   */
  readonly sessionId: string;
  /** What the command line does not reveal, such as which files it opens. */
  readonly uncertainties?: readonly string[];
  /** Why the user is asked. */
  readonly reason: string;
  /** The key of the rule that asks, if one does. */
  readonly ruleKey?: string;
}

/** The user allows the call. */
export interface AllowingAnswer {
  readonly action: 'allow';
  /**
   * `once` (the default) allows one call. `session` also allows the same call later in the session, and `always` in every
   * session. For a call without a session, `session` counts as `once`.
   */
  readonly scope?: 'once' | 'session' | 'always';
  /** How long the permission lasts, in milliseconds. Default: as long as its scope. */
  readonly forMs?: number;
  /**
   * Allows every line that is one simple command of this pattern, such as `npm run *`, in the same folder. It must
   * match the line in question and begin with the name of a program.
   */
  readonly command?: string;
}

/** The user's answer. */
export type PermissionAnswer = AllowingAnswer | { readonly action: 'deny'; readonly reason?: string };

/**
 * Asks the user. The engine asks one question at a time in each session; questions of different sessions may be open at
 * the same time. `oneAtATime` makes all of them wait for one another. The signal aborts when no caller waits for the
 * answer any more.
 *
 * A function that shows the question later can call `setQuestionsAhead` with the number of questions that the user sees
 * first, and with 0 when it shows this one: the time limit for the answer then starts again.
 */
export type AskUser = (
  question: PermissionQuestion,
  signal: AbortSignal,
  setQuestionsAhead?: (count: number) => void,
) => PermissionAnswer | Promise<PermissionAnswer>;
