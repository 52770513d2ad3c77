import { homedir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { PermissionRequest } from '@haft/core';
import type { Target, Targets } from '../paths/find-targets.ts';
import { compileGlob, compileWildcard } from '../paths/glob-pattern.ts';
import { compileCommandPattern } from './command-pattern.ts';
import { commandOf, type LayeredRules, type PermissionRule, type RuleAction } from './permission-rule.ts';

/** What rules are matched against. */
export interface RuleSubject {
  readonly request: PermissionRequest;
  readonly targets: Targets;
  /** Real paths that relative globs start from. */
  readonly roots: readonly string[];
}

/** A rule ready to be asked. */
export interface CompiledRule {
  readonly key: string;
  readonly action: RuleAction;
  readonly reason: string | undefined;
  fits(subject: RuleSubject): boolean;
}

type Test = (subject: RuleSubject) => boolean;

/**
 * Compiles rules in the order they are asked: the project's, then the user's.
 *
 * @throws TypeError for a rule that can't be used; a rule that is misread is worse than none.
 */
export function compileRules(rules: readonly PermissionRule[] | LayeredRules): readonly CompiledRule[] {
  if (isList(rules)) return rules.map((rule, index) => compileRule(rule, `rules[${index}]`));
  return [
    ...(rules.project ?? []).map((rule, index) => compileRule(rule, `project[${index}]`)),
    ...(rules.user ?? []).map((rule, index) => compileRule(rule, `user[${index}]`)),
  ];
}

function isList(rules: readonly PermissionRule[] | LayeredRules): rules is readonly PermissionRule[] {
  return Array.isArray(rules);
}

const knownMembers: ReadonlySet<string> = new Set([
  'action',
  'key',
  'tool',
  'kind',
  'provider',
  'path',
  'access',
  'command',
  'reason',
]);

function compileRule(rule: PermissionRule, place: string): CompiledRule {
  const key = rule.key ?? place;
  if (!['allow', 'deny', 'ask'].includes(rule.action))
    throw new TypeError(`the action of the rule ${key} must be allow, deny or ask`);
  const unknown = Object.keys(rule).find((member) => !knownMembers.has(member));
  if (unknown !== undefined) throw new TypeError(`the rule ${key} has an unknown member ${JSON.stringify(unknown)}`);
  const tests: Test[] = [];
  if (rule.tool !== undefined) tests.push(matchAny(rule.tool, compileWildcard, ({ request }) => request.tool));
  if (rule.kind !== undefined)
    tests.push(
      matchAny<string>(
        rule.kind,
        (kind) => (value) => value === kind,
        ({ request }) => request.kind,
      ),
    );
  if (rule.provider !== undefined)
    tests.push(
      matchAny(
        rule.provider,
        (path) => (value) => value === path || value.startsWith(`${path}/`),
        ({ request }) => request.provider,
      ),
    );
  if (rule.path !== undefined) tests.push(testPaths(toList(rule.path), rule));
  else if (rule.access !== undefined) throw new TypeError(`the rule ${key} has an access but no path`);
  if (rule.command !== undefined) tests.push(testCommand(toList(rule.command), rule.action));
  return { key, action: rule.action, reason: rule.reason, fits: (subject) => tests.every((test) => test(subject)) };
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
  return (subject) => matchers.some((matches) => matches(valueOf(subject)));
}

function testCommand(patterns: readonly string[], action: RuleAction): Test {
  const compiled = patterns.map(compileCommandPattern);
  return ({ request }) => {
    const command = commandOf(request);
    if (command === undefined) return false;
    return compiled.some((pattern) => (action === 'allow' ? pattern.fitsAlone(command) : pattern.fitsAny(command)));
  };
}

function testPaths(globs: readonly string[], { action, access }: PermissionRule): Test {
  const matchers = globs.map((glob) => {
    const homed = glob === '~' || glob.startsWith('~/') ? join(homedir(), glob.slice(1)) : glob;
    const matches = compileGlob(homed.startsWith('./') ? homed.slice(2) : homed);
    return isAbsolute(homed)
      ? (path: string): boolean => matches(path)
      : (path: string, roots: readonly string[]): boolean =>
          roots.some((root) => isBelow(root, path) && matches(relative(root, path).replaceAll(sep, '/') || '.'));
  });
  const matchesPath = (path: string | undefined, roots: readonly string[]): boolean =>
    path !== undefined && matchers.some((matches) => matches(path, roots));
  return ({ targets, roots }) => {
    const files = targets.files.filter((file) => access === undefined || file.access === access);
    const isEverything = targets.others.some(({ key }) => key === '*');
    if (action !== 'allow')
      return files.some((file) => matchesPath(file.real, roots) || matchesPath(file.named, roots));
    // An allowance for what is read does not cover what the same call writes.
    return (
      !isEverything &&
      files.length > 0 &&
      files.length === targets.files.length &&
      files.every((file: Target) => matchesPath(file.real, roots))
    );
  };
}

/** Says whether a real path is a root or below it. */
export function isBelow(root: string, path: string): boolean {
  const rest = relative(root, path);
  return rest === '' || (!isAbsolute(rest) && rest !== '..' && !rest.startsWith(`..${sep}`));
}
