import type { ToolKind } from '@haft/core';

/** What a rule says of a call: run it, refuse it, or let a person decide. */
export type RuleAction = 'allow' | 'deny' | 'ask';

/** All that a rule can say. */
export const ruleActions: readonly RuleAction[] = ['allow', 'deny', 'ask'];

/**
 * One rule, as data. What is given must all fit (a list fits when one of it does); what is left out fits anything. The
 * first rule of a list that fits decides. Every pattern must match from beginning to end.
 */
export interface PermissionRule {
  readonly action: RuleAction;
  /** Name shown in denials and questions; default: `project[0]` and the like. */
  readonly key?: string;
  /** Names of tools; `*` and `?` stand for characters, so that `github_*` fits all tools of that server. */
  readonly tool?: string | readonly string[];
  readonly kind?: ToolKind | readonly ToolKind[];
  /** Only tools that declare to be read-only, or only the others. */
  readonly readOnly?: boolean;
  /** Provider path, such as `builtin`; it fits everything below it too. */
  readonly provider?: string | readonly string[];
  /**
   * Globs over the files the call touches: relative ones below the roots, others absolute or with `~/`. An `allow` fits
   * when all files of the call match, by where they really lie; `deny` and `ask` when one matches, by name or by place.
   * A call that touches no file, or everything, never fits.
   */
  readonly path?: string | readonly string[];
  /** Only files the call reads, or only those it writes; default both. */
  readonly access?: 'read' | 'write';
  /**
   * Command lines, word by word: `npm test`, `git log *` (the star at the end is any further words), `npm run test:*`. An
   * `allow` fits only a line that is that one command and nothing else; `deny` and `ask` fit when any command in the line
   * does, also inside wrappers, shells and substitutions. A star elsewhere stands for characters within one word.
   *
   * The line is the argument `command` of a tool that is named `bash` or `shell`, or that declares
   * `traits.requires: ['process']`. `deny` and `ask` also look at `command` and `cmd` of tools that declare nothing and do
   * not only read, and at `cmd` and `script` of tools that are named like a shell; an `allow` never does. A tool that
   * starts processes without a `command` is asked about unless a rule names the tool.
   */
  readonly command?: string | readonly string[];
  /**
   * Hosts the call names, such as `example.org` or `*.example.org` (all below it): in `host:` keys of its footprint, in
   * arguments that are URLs or whose key says that they are a place, and in command lines. An `allow` fits when all of them
   * match, and never a command line, which may go anywhere; `deny` and `ask` when one matches.
   */
  readonly host?: string | readonly string[];
  /** Said to the model and the person. */
  readonly reason?: string;
}

/**
 * Rules in layers. In each layer the first rule that fits speaks for it. A `deny` of any layer decides; otherwise the
 * highest layer that has something to say: policy, user, project, default.
 */
export interface LayeredRules {
  /** What an organisation sets for its users. */
  readonly policy?: readonly PermissionRule[];
  readonly user?: readonly PermissionRule[];
  /** What comes with a project, such as a repository of others. */
  readonly project?: readonly PermissionRule[];
  /** What a program brings itself, before the engine's `defaults`. */
  readonly default?: readonly PermissionRule[];
}

/** The layers of rules, the one that is heard first in front. */
export const layers: readonly (keyof LayeredRules)[] = ['policy', 'user', 'project', 'default'];
