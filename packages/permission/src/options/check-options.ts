import { refuseUnknown, isObject } from '../option-values.ts';
import { isAbsolute } from 'node:path';
import type { GrantStore } from '../asking/grant-store.ts';
import type { PermissionEngineOptions, PermissionMode } from './permission-options.ts';
import { PermissionError, showGiven } from '../permission-error.ts';
import { ruleActions } from '../rules/permission-rule.ts';

const modes: readonly PermissionMode[] = ['ask', 'read-only', 'allow'];
const options = [
  'rules',
  'defaults',
  'ask',
  'mode',
  'roots',
  'protectedGlobs',
  'writeProtectedGlobs',
  'grantStore',
  'now',
  'onDecision',
] as const satisfies readonly (keyof PermissionEngineOptions)[];
const defaultNames = ['readInside', 'readOutside', 'readUndeclared', 'other'] as const;

/**
 * Refuses options that would quietly make an engine that guards less than was meant.
 *
 * @throws PermissionError `INVALID_OPTION`, naming the option, what was expected and what was given.
 */
export function checkOptions(given: PermissionEngineOptions): void {
  const owner = 'createPermissionEngine';
  expect(owner, 'its argument', isObject(given), 'an object such as { rules: [] }', given);
  refuseUnknown(owner, 'option', given, options);
  const { rules, defaults, ask, mode, roots, protectedGlobs, writeProtectedGlobs, grantStore, now, onDecision } = given;
  if (isObject(rules) && 'action' in (rules as object))
    throw new PermissionError('INVALID_OPTION', `${owner}: rules is one rule and must be a list: wrap it in [ ]`);
  expect(
    owner,
    'rules',
    rules === undefined || Array.isArray(rules) || isObject(rules),
    'a list of rules, or { policy, user, project, default }',
    rules,
  );
  if (defaults !== undefined) {
    expect(owner, 'defaults', isObject(defaults), 'an object such as { other: "deny" }', defaults);
    refuseUnknown(`${owner}: defaults`, 'member', defaults, defaultNames);
    for (const name of defaultNames) {
      const action = defaults[name];
      const isAction = action === undefined || ruleActions.includes(action);
      expect(owner, `defaults.${name}`, isAction, oneOf(ruleActions), action);
    }
  }
  for (const [name, callback] of Object.entries({ ask, now, onDecision }))
    expect(owner, name, callback === undefined || typeof callback === 'function', 'a function', callback);
  const keeps = grantStore as Partial<Record<keyof GrantStore, unknown>> | null | undefined;
  const isStore = typeof keeps?.load === 'function' && typeof keeps.save === 'function';
  expect(owner, 'grantStore', grantStore === undefined || isStore, 'an object with load and save', grantStore);
  if (mode !== undefined) checkMode(owner, mode);
  expect(owner, 'roots', roots === undefined || Array.isArray(roots), 'a list of absolute paths', roots);
  for (const [index, root] of (roots ?? []).entries())
    expect(owner, `roots[${index}]`, typeof root === 'string' && isAbsolute(root), 'an absolute path', root);
  for (const [name, globs] of Object.entries({ protectedGlobs, writeProtectedGlobs }))
    expect(owner, name, globs === undefined || isListOf(globs, isNotEmpty), 'a list of globs', globs);
}

/**
 * Refuses what is no mode.
 *
 * @throws PermissionError `INVALID_OPTION`.
 */
export function checkMode(owner: string, mode: PermissionMode): void {
  expect(owner, 'mode', modes.includes(mode), oneOf(modes), mode);
}

function expect(owner: string, name: string, isRight: boolean, expected: string, given: unknown): void {
  if (isRight) return;
  throw new PermissionError('INVALID_OPTION', `${owner}: ${name} must be ${expected}, not ${showGiven(given)}`);
}

function oneOf(values: readonly string[]): string {
  return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
}

function isListOf(list: unknown, isRight: (item: string) => boolean): boolean {
  return Array.isArray(list) && list.every((item) => typeof item === 'string' && isRight(item));
}

function isNotEmpty(text: string): boolean {
  return text !== '';
}
