import type { ToolKind } from '@haft/core';

/** What a person is asked. */
export interface PermissionQuestion {
  readonly tool: string;
  readonly provider: string;
  readonly kind: ToolKind;
  /** One line that says what is about to happen. */
  readonly title: string;
  /** The final arguments. */
  readonly arguments: unknown;
  /** The command line, for a tool that runs one. */
  readonly command?: string;
  /** Files it would read and write, by where they really lie; folders end in a slash. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly cwd: string;
  readonly sessionId: string;
  /** What of the command line can't be told from its text, such as which files it opens. */
  readonly uncertainties?: readonly string[];
  /** Why this is asked. */
  readonly reason: string;
  /** The rule that wants it asked, when one does. */
  readonly ruleKey?: string;
}

/** A person's yes. */
export interface AllowingAnswer {
  readonly action: 'allow';
  /** `session` also allows the same call later in the session, `always` in every session. Default `once`. */
  readonly scope?: 'once' | 'session' | 'always';
  /** For how long it holds, in milliseconds; default: as long as its scope. */
  readonly forMs?: number;
  /**
   * Allows every line that is one plain command of this pattern, such as `npm run *`, in the same folder, and not only the
   * line that was asked about. Must fit that line, and begin with the name of a program.
   */
  readonly command?: string;
}

/** What a person answers. */
export type PermissionAnswer = AllowingAnswer | { readonly action: 'deny'; readonly reason?: string };

/** Puts a question to a person. The signal aborts when nobody waits for the answer any more, and it was not given yet. */
export type AskUser = (
  question: PermissionQuestion,
  signal: AbortSignal,
) => PermissionAnswer | Promise<PermissionAnswer>;
