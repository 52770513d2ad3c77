import type { PermissionEngine } from '@haft/core';
import type { GrantStore } from '../asking/grant-store.ts';
import { type Grant } from '../asking/grant.ts';
import type { AskUser } from '../asking/permission-question.ts';
import { type DecisionRecord } from './decision-log.ts';
import type { LayeredRules, PermissionRule, RuleAction } from '../rules/permission-rule.ts';

/**
 * `ask`: rules and defaults decide, a person where they say so. `read-only`: tools that are not read-only are refused,
 * and those that are need no person unless a rule wants one asked, or a file lies outside the roots, or the tool reaches
 * the open world (`traits.openWorld`).
 * `allow`: what would be asked is allowed, except command lines of which it can't be told what they do, or that destroy
 * work or stop the machine for good, unless a rule names that command; what is protected,
 * destructive or denied by a rule stays refused.
 */
export type PermissionMode = 'ask' | 'read-only' | 'allow';

/** What holds where no rule fits. */
export interface PermissionDefaults {
  /** Read-only tools that touch only files inside the roots. Default `allow`. */
  readonly readInside?: RuleAction;
  /** Read-only tools that touch files elsewhere. Default `ask`. */
  readonly readOutside?: RuleAction;
  /**
   * Read-only tools that don't say what they read, and don't reach the open world. Default: as `other`; a program that
   * trusts the tools it has allows them.
   */
  readonly readUndeclared?: RuleAction;
  /**
   * Everything else, what reaches the open world included. Default `ask`; for read-only tools that do not, `allow` in the
   * mode `read-only`.
   */
  readonly other?: RuleAction;
}

/** What {@link createPermissionEngine} takes; everything has a default. */
export interface PermissionEngineOptions {
  /** The first rule that fits decides; with layers, a `deny` of any, and then the highest that fits: policy, user, project, default. */
  readonly rules?: readonly PermissionRule[] | LayeredRules;
  readonly defaults?: PermissionDefaults;
  /** Puts a question to a person. Without it nobody can be asked, and what would be asked is denied. */
  readonly ask?: AskUser;
  /** Default `ask`. */
  readonly mode?: PermissionMode;
  /** Absolute folders that count as inside, and that relative path globs start from. Default: the working directory of each call. */
  readonly roots?: readonly string[];
  /** Files nobody may touch through a tool, as globs over absolute paths. Default: {@link defaultProtectedGlobs}. */
  readonly protectedGlobs?: readonly string[];
  /** Files nobody may write through a tool. Default: {@link defaultWriteProtectedGlobs}. */
  readonly writeProtectedGlobs?: readonly string[];
  /** Keeps what persons allowed for always. Without it, that holds as long as the engine. */
  readonly grantStore?: GrantStore;
  /** Milliseconds since the epoch, for grants that expire; default `Date.now`. */
  readonly now?: () => number;
  /**
   * Hears every decision: each call once, and files that a call comes across only where its own permission does not
   * settle them. What it throws is dropped.
   */
  readonly onDecision?: (record: DecisionRecord) => void;
}

/** An engine with what a program needs to steer it. */
export interface RuleEngine extends PermissionEngine {
  readonly mode: PermissionMode;
  /** Holds from the next request on. Throws {@link PermissionError} `INVALID_OPTION` for what is no mode. */
  setMode(mode: PermissionMode): void;
  /** What persons allowed for the rest of their sessions and for always; what a store kept, from the first question on. */
  grants(): readonly Grant[];
  /** Takes one back; false when there is none of this key. */
  revoke(key: string): boolean;
  forgetSession(sessionId: string): void;
}
