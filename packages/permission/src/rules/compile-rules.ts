import { homedir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { PermissionRequest } from '@haft/core';
import { onlyReads } from '@haft/core/define';
import type { Target, Targets } from '../paths/find-targets.ts';
import { compilePathMatcher, compileTextMatcher } from '../paths/path-matchers.ts';
import { compileCommandPattern } from './command-pattern.ts';
import { compileHostPattern } from './host-pattern.ts';
import { hostsOf, hostsOfCommand } from './hosts-of.ts';
import { PermissionError } from '../permission-error.ts';
import { checkRule } from './check-rule.ts';
import { commandOf, findCommandLines } from './command-lines-of-call.ts';
import { layers, type LayeredRules, type PermissionRule, type RuleAction } from './permission-rule.ts';

/** The data that rules are matched against. */
export interface RuleSubject {
  readonly request: PermissionRequest;
  readonly targets: Targets;
  /** Guessed files. They can make a rule refuse or ask, but never allow. */
  readonly suspected: Targets['files'];
  /** Real paths that relative globs are resolved against. */
  readonly roots: readonly string[];
}

/** A compiled rule. */
export interface CompiledRule {
  readonly key: string;
  readonly action: RuleAction;
  readonly reason: string | undefined;
  /** True if the rule names command lines. */
  readonly namesCommand: boolean;
  /** True if the rule names its tools, each by its full name. */
  readonly namesTool: boolean;
  fits(subject: RuleSubject): boolean;
  /** For a rule that denies commands: tests whether an unknown program may run such a command. */
  readonly mayFit: Test | undefined;
}

type Test = (subject: RuleSubject) => boolean;

/** A set of compiled rules. */
export interface RuleBook {
  /** Returns the rule that decides, if any. */
  find(subject: RuleSubject): CompiledRule | undefined;
  /** Returns a rule that denies a command that an unknown program in the call may run. */
  suspect(subject: RuleSubject): CompiledRule | undefined;
}

/**
 * Compiles rules. In an array, the first matching rule decides; for layers, see {@link LayeredRules}.
 *
 * @throws PermissionError `INVALID_RULE` for an invalid rule, because a misread rule is worse than a missing one.
 */
export function compileRules(rules: readonly PermissionRule[] | LayeredRules): RuleBook {
  if (isList(rules)) return bookOf([compileList(rules, 'rules')]);
  return bookOf(layers.map((layer) => compileList(rules[layer] ?? [], layer)));
}

function compileList(rules: readonly PermissionRule[], name: string): readonly CompiledRule[] {
  return rules.map((rule, index) => compileRule(rule, `${name}[${index}]`));
}

function bookOf(lists: readonly (readonly CompiledRule[])[]): RuleBook {
  const filled = lists.filter((list) => list.length > 0);
  return {
    find(subject) {
      let found: CompiledRule | undefined;
      for (const list of filled) {
        const rule = firstFitting(list, subject);
        if (rule?.action === 'deny') return rule;
        found ??= rule;
      }
      return found;
    },
    suspect(subject) {
      for (const list of filled) for (const rule of list) if (rule.mayFit?.(subject) === true) return rule;
      return undefined;
    },
  };
}

function firstFitting(rules: readonly CompiledRule[], subject: RuleSubject): CompiledRule | undefined {
  for (const rule of rules) if (rule.fits(subject)) return rule;
  return undefined;
}

function isList(rules: readonly PermissionRule[] | LayeredRules): rules is readonly PermissionRule[] {
  return Array.isArray(rules);
}

function compileRule(rule: PermissionRule, place: string): CompiledRule {
  checkRule(rule, place);
  const key = rule.key ?? place;
  try {
    const tests = compileTests(rule);
    return {
      key,
      action: rule.action,
      reason: rule.reason,
      namesCommand: rule.command !== undefined,
      namesTool: rule.tool !== undefined && !toList(rule.tool).some((name) => /[*?]/.test(name)),
      fits: joinTests(tests),
      mayFit:
        rule.action === 'deny' && rule.command !== undefined ? joinTests(compileTests(rule, testSuspected)) : undefined,
    };
  } catch (cause) {
    // Only patterns are compiled here, and their errors say what is wrong.
    throw new PermissionError('INVALID_RULE', `the rule ${key}: ${(cause as Error).message}`, { cause });
  }
}

/** Fast path: every call tests the rules, and nearly every rule has one condition. */
function joinTests(tests: readonly Test[]): Test {
  const [only, ...others] = tests;
  if (only === undefined) return () => true;
  return others.length === 0 ? only : (subject) => tests.every((test) => test(subject));
}

function compileTests(rule: PermissionRule, testOf: typeof testCommand = testCommand): readonly Test[] {
  const { tool, kind, readOnly, provider, path, command, host } = rule;
  const tests: Test[] = [];
  if (tool !== undefined) tests.push(matchAny(tool, compileTextMatcher, ({ request }) => request.tool));
  if (kind !== undefined)
    tests.push(
      matchAny<string>(
        kind,
        (name) => (value) => value === name,
        ({ request }) => request.kind,
      ),
    );
  // Such a tool may change something, although its kind is `read`.
  if (kind !== undefined && rule.action === 'allow')
    tests.push(({ request }) => request.kind !== 'read' || onlyReads(request));
  if (readOnly !== undefined) tests.push(({ request }) => onlyReads(request) === readOnly);
  if (provider !== undefined)
    tests.push(
      matchAny(
        provider,
        (name) => (value) => value === name || value.startsWith(`${name}/`),
        ({ request }) => request.provider,
      ),
    );
  if (path !== undefined) tests.push(testPaths(toList(path), rule));
  if (command !== undefined) tests.push(testOf(toList(command), rule.action));
  if (host !== undefined) tests.push(testHosts(toList(host), rule));
  return tests;
}

function toList<Item extends string>(value: Item | readonly Item[]): readonly Item[] {
  return typeof value === 'string' ? [value] : value;
}

function matchAny<Item extends string>(
  patterns: Item | readonly Item[],
  compile: (pattern: Item) => (value: string) => boolean,
  valueOf: (subject: RuleSubject) => string,
): Test {
  const matchers = toList(patterns).map(compile);
  const [only, ...others] = matchers;
  if (only !== undefined && others.length === 0) return (subject) => only(valueOf(subject));
  return (subject) => matchers.some((matches) => matches(valueOf(subject)));
}

function testCommand(patterns: readonly string[], action: RuleAction): Test {
  const compiled = patterns.map(compileCommandPattern);
  return ({ request }) => {
    if (action === 'allow') {
      const command = commandOf(request);
      return command !== undefined && compiled.some((pattern) => pattern.fitsAlone(command));
    }
    const environment = { cwd: request.cwd, home: homedir() };
    return findCommandLines(request).lines.some((line) =>
      compiled.some((pattern) => pattern.fitsAny(line, environment)),
    );
  };
}

function testSuspected(patterns: readonly string[]): Test {
  const compiled = patterns.map(compileCommandPattern);
  return ({ request }) => {
    const environment = { cwd: request.cwd, home: homedir() };
    return findCommandLines(request).lines.some((line) =>
      compiled.some((pattern) => pattern.mayFit(line, environment)),
    );
  };
}

function testHosts(patterns: readonly string[], { action, path }: PermissionRule): Test {
  const matchers = patterns.map(compileHostPattern);
  const matches = (host: string): boolean => matchers.some((matcher) => matcher(host));
  return ({ request, targets }) => {
    const { lines, isUnseen } = findCommandLines(request);
    const { hosts, isWhole } = hostsOf(request);
    if (action === 'allow') {
      // An `allow` for a host does not cover the files that the same call touches.
      const isAllOfIt =
        lines.length === 0 && !isUnseen && isWhole && (targets.files.length === 0 || path !== undefined);
      return isAllOfIt && hosts.size > 0 && [...hosts].every(matches);
    }
    if (!isWhole || [...hosts].some(matches)) return true;
    const environment = { cwd: request.cwd, home: homedir() };
    return lines.some((line) => {
      const named = hostsOfCommand(line, environment);
      return !named.isWhole || [...named.hosts].some(matches);
    });
  };
}

function testPaths(globs: readonly string[], { action, access }: PermissionRule): Test {
  const matchers = globs.map((glob) => {
    const homed = glob === '~' || glob.startsWith('~/') ? join(homedir(), glob.slice(1)) : glob;
    const matches = compilePathMatcher(homed.startsWith('./') ? homed.slice(2) : homed);
    return isAbsolute(homed)
      ? (path: string): boolean => matches(path)
      : (path: string, roots: readonly string[]): boolean =>
          roots.some((root) => isBelow(root, path) && matches(relative(root, path).replaceAll(sep, '/') || '.'));
  });
  const matchesPath = (path: string | undefined, roots: readonly string[]): boolean =>
    path !== undefined && matchers.some((matches) => matches(path, roots));
  return ({ targets, suspected, roots }) => {
    const isMeant = (file: Target): boolean => access === undefined || file.access === access;
    const files = targets.files.filter(isMeant);
    const isEverything = targets.others.some(({ key }) => key === '*');
    if (action !== 'allow')
      return [...files, ...suspected.filter(isMeant)].some(
        (file) => matchesPath(file.real, roots) || matchesPath(file.named, roots),
      );
    // An `allow` for reads does not cover the writes of the same call.
    return (
      !isEverything &&
      files.length > 0 &&
      files.length === targets.files.length &&
      files.every((file: Target) => matchesPath(file.real, roots))
    );
  };
}

/** Returns whether a real path is a root or below it. */
export function isBelow(root: string, path: string): boolean {
  const rest = relative(root, path);
  return rest === '' || (!isAbsolute(rest) && rest !== '..' && !rest.startsWith(`..${sep}`));
}
