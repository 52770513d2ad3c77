import {
  absolutePathKind,
  functionKind,
  arrayOf,
  checkOption,
  checkOptions as checkByTable,
  nonEmptyStringKind,
  objectOf,
  objectWith,
  oneOf,
  type OptionTable,
} from '@haft/core/options';
import type { GrantStore } from '../asking/grant-store.ts';
import { PermissionError } from '../permission-error.ts';
import { rulesKind } from '../rules/check-rule.ts';
import { ruleActions } from '../rules/permission-rule.ts';
import type { PermissionDefaults, PermissionEngineOptions, PermissionMode } from './permission-options.ts';

const action = oneOf(...ruleActions);
const mode = oneOf('ask', 'read-only', 'allow');
const globs = arrayOf(nonEmptyStringKind, 'an array of globs');

const table: OptionTable<PermissionEngineOptions> = {
  rules: rulesKind,
  defaults: objectOf<PermissionDefaults>(
    { readInside: action, readOutside: action, readUndeclared: action, other: action },
    '{ other: "deny" }',
  ),
  ask: functionKind,
  mode,
  roots: arrayOf(absolutePathKind, 'an array of absolute paths'),
  protectedGlobs: globs,
  writeProtectedGlobs: globs,
  grantStore: objectWith<GrantStore>('an object with load and save', 'load', 'save'),
  now: functionKind,
  onDecision: functionKind,
};

const invalidOption = (message: string): PermissionError => new PermissionError('INVALID_OPTION', message);

/**
 * Rejects options that would silently make the engine guard less than intended.
 *
 * @throws PermissionError `INVALID_OPTION`, naming the option, what was expected and what was given.
 */
export function checkOptions(given: PermissionEngineOptions): void {
  checkByTable('createPermissionEngine', given, table, '{ rules: [] }', invalidOption);
}

/**
 * Rejects an unknown mode.
 *
 * @throws PermissionError `INVALID_OPTION`.
 */
export function checkMode(owner: string, given: PermissionMode): void {
  checkOption(owner, 'mode', given, mode, invalidOption);
}
