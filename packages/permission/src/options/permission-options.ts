import type { PermissionEngine } from '@haft/core';
import type { GrantStore } from '../asking/grant-store.ts';
import { type Grant } from '../asking/grant.ts';
import type { AskUser } from '../asking/permission-question.ts';
import type { LayeredRules, PermissionRule, RuleAction } from '../rules/permission-rule.ts';

/**
 * `ask`: rules and defaults decide, and the user where they say `ask`. `read-only`: refuses tools that are not
 * read-only. The others run without a question unless a rule asks, a file is outside the roots, or the tool reaches the
 * open world (`traits.openWorld`). `allow`: runs calls instead of asking about them. It still asks about uncertain
 * command lines, and about commands that destroy work or stop the machine for good unless a rule names them. Protected,
 * destructive and denied calls stay refused.
 */
export type PermissionMode = 'ask' | 'read-only' | 'allow';

/** The decisions where no rule matches. */
export interface PermissionDefaults {
  /** Read-only tools that touch only files inside the roots. Default `allow`. */
  readonly readInside?: RuleAction;
  /** Read-only tools that touch files outside the roots. Default `ask`. */
  readonly readOutside?: RuleAction;
  /**
   * Read-only tools that do not declare what they read and do not reach the open world. Default: as `other`. Use
   * `allow` if you trust your tools.
   */
  readonly readUndeclared?: RuleAction;
  /**
   * Everything else, including tools that reach the open world. Default `ask`; in the mode `read-only`, `allow` for
   * read-only tools that do not reach it.
   */
  readonly other?: RuleAction;
}

/** How a call was decided, for logs. */
export interface DecisionRecord {
  readonly callId: string;
  readonly tool: string;
  readonly title: string;
  readonly sessionId: string;
  readonly action: 'allow' | 'deny';
  readonly by: 'protected' | 'mode' | 'rule' | 'default' | 'grant' | 'person' | 'no-approver';
  readonly ruleKey?: string;
  /**
   * `call`: the call as a whole, once. `found`: files found while the call ran that its own permission does not cover,
   * once for each reason.
   */
  readonly about: 'call' | 'found';
}

/** Options of {@link createPermissionEngine}; all have a default. */
export interface PermissionEngineOptions {
  /**
   * The first matching rule decides. In layers, any `deny` wins, then the highest match: policy, user, project,
   * default.
   */
  readonly rules?: readonly PermissionRule[] | LayeredRules;
  readonly defaults?: PermissionDefaults;
  /** Asks the user. Without it, calls that need an answer are denied. */
  readonly ask?: AskUser;
  /** Default `ask`. */
  readonly mode?: PermissionMode;
  /**
   * Absolute folders that count as inside and anchor relative path globs. Default: the working directory of each call.
   */
  readonly roots?: readonly string[];
  /** Files that no tool may touch, as globs over absolute paths. Default: {@link defaultProtectedGlobs}. */
  readonly protectedGlobs?: readonly string[];
  /** Files that no tool may write. Default: {@link defaultWriteProtectedGlobs}. */
  readonly writeProtectedGlobs?: readonly string[];
  /** Stores grants with the scope `always`. Without it, they last as long as the engine. */
  readonly grantStore?: GrantStore;
  /** Returns milliseconds since the epoch, for grants that expire. Default `Date.now`. */
  readonly now?: () => number;
  /**
   * Receives every decision: each call once, and files found by a call only where its own permission does not cover
   * them. What it throws is ignored.
   */
  readonly onDecision?: (record: DecisionRecord) => void;
}

/** A permission engine that the program can control. */
export interface RuleEngine extends PermissionEngine {
  readonly mode: PermissionMode;
  /** Applies from the next request on. Throws {@link PermissionError} `INVALID_OPTION` for an unknown mode. */
  setMode(mode: PermissionMode): void;
  /** Lists the grants for sessions and for always; stored grants appear after the first question. */
  grants(): readonly Grant[];
  /** Revokes a grant; returns false if no grant has this key. */
  revoke(key: string): boolean;
  forgetSession(sessionId: string): void;
}
