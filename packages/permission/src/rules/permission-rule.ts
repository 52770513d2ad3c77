import type { ToolKind } from '@haft/core';

/** The action of a rule: run the call, refuse it, or ask the user. */
export type RuleAction = 'allow' | 'deny' | 'ask';

/** All rule actions. */
export const ruleActions: readonly RuleAction[] = ['allow', 'deny', 'ask'];

/**
 * A rule, as plain data. All given members must match (an array matches if one of its items does); omitted members
 * match anything. The first matching rule of a list decides. Every pattern must match the whole text.
 */
export interface PermissionRule {
  readonly action: RuleAction;
  /** Name shown in denials and questions; default: `project[0]` and the like. */
  readonly key?: string;
  /** Tool names. `*` and `?` are wildcards, so `github_*` matches all tools of that server. */
  readonly tool?: string | readonly string[];
  /** An `allow` matches tools of the kind `read` only if they are read-only. */
  readonly kind?: ToolKind | readonly ToolKind[];
  /** `true` matches only tools that declare themselves read-only, `false` only the others. */
  readonly readOnly?: boolean;
  /** Provider path, such as `builtin`. Also matches everything below it. */
  readonly provider?: string | readonly string[];
  /**
   * Globs over the files that the call touches: relative to the roots, absolute, or with `~/`. An `allow` matches if
   * all files of the call match by their real paths; `deny` and `ask` match if one file matches by its name or its real
   * path. A call that touches no file, or everything, never matches.
   */
  readonly path?: string | readonly string[];
  /** Only files that the call reads, or only files that it writes. Default: both. */
  readonly access?: 'read' | 'write';
  /**
   * Command lines, matched word by word: `npm test`, `git log *` (a trailing star matches any further words), `npm run
   * test:*`. An `allow` matches only a line that is that one command and nothing else; `deny` and `ask` match if any
   * command in the line does, also inside wrappers, shells and substitutions. A star elsewhere matches characters
   * within one word.
   *
   * The line is the argument `command` of a tool that is named `bash` or `shell`, or that declares `traits.requires:
   * ['process']`. `deny` and `ask` also check `command` and `cmd` of tools that declare no footprint and are not
   * read-only, and `cmd` and `script` of tools with the name of a shell; an `allow` never does. A tool that starts
   * processes without a `command` is asked about unless a rule names the tool.
   */
  readonly command?: string | readonly string[];
  /**
   * Hosts that the call names, such as `example.org` or `*.example.org` (all subdomains): in `host:` keys of its
   * footprint, in arguments that are URLs or whose key denotes a location, and in command lines. An `allow` matches if
   * all hosts match, but never for a command line, which may contact any host; `deny` and `ask` match if one host
   * matches.
   */
  readonly host?: string | readonly string[];
  /** Shown to the model and the user. */
  readonly reason?: string;
}

/**
 * Rules in layers. In each layer the first matching rule applies. A `deny` in any layer decides; otherwise the highest
 * layer with a matching rule decides: policy, user, project, default.
 */
export interface LayeredRules {
  /** Rules that an organization sets for its users. */
  readonly policy?: readonly PermissionRule[];
  readonly user?: readonly PermissionRule[];
  /** Rules that come with a project, such as a cloned repository. */
  readonly project?: readonly PermissionRule[];
  /** Rules that the program itself provides, before the engine's `defaults`. */
  readonly default?: readonly PermissionRule[];
}

/** The layers of rules, highest first. */
export const layers: readonly (keyof LayeredRules)[] = ['policy', 'user', 'project', 'default'];
