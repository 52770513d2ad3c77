import { isAbsolute } from 'node:path';
import { findNearestNames } from '@haft/core';
import type { BuiltinDependencies } from './builtin-dependencies.ts';
import { BuiltinsError } from './builtins-error.ts';
import { checkNotes } from './check-notes.ts';
import { checkSearch, checkWeb } from './check-web.ts';

const dependencyNames = [
  'workspace',
  'readTracker',
  'protection',
  'processes',
  'images',
  'ripgrep',
  'web',
  'search',
  'todos',
  'plans',
  'ask',
  'memory',
  'skills',
] as const satisfies readonly (keyof BuiltinDependencies)[];

/**
 * Refuses dependencies that a tool would work without, or fail on at its first call.
 *
 * @throws BuiltinsError `INVALID_OPTION`, naming the option, what was expected and what was given.
 */
export function checkDependencies(owner: string, given: BuiltinDependencies, more: readonly string[] = []): void {
  checkNames(owner, given, [...dependencyNames, ...more]);
  const { workspace, readTracker, protection, processes } = given;
  checkOption(
    owner,
    'workspace',
    workspace === undefined || (typeof workspace?.cwd === 'string' && 'readRoots' in workspace),
    'one that createWorkspace({ cwd }) made',
    workspace,
  );
  checkOption(
    owner,
    'readTracker',
    readTracker === undefined || (typeof readTracker?.record === 'function' && typeof readTracker.get === 'function'),
    'one that createReadTracker() made',
    readTracker,
  );
  checkOption(
    owner,
    'protection',
    protection === undefined || protection === 'off' || typeof protection === 'function',
    "'off', or one that compileProtection(globs) of @haft/sandbox made",
    protection,
  );
  checkOption(
    owner,
    'processes',
    processes === undefined || (typeof processes?.start === 'function' && typeof processes.find === 'function'),
    'one that createProcessBoard() of @haft/sandbox made',
    processes,
  );
  const { images } = given;
  checkOption(owner, 'images', images === undefined || typeof images === 'function', 'a function', images);
  checkOption(
    owner,
    'ripgrep',
    given.ripgrep === undefined ||
      given.ripgrep === 'auto' ||
      given.ripgrep === 'off' ||
      (typeof given.ripgrep === 'string' && isAbsolute(given.ripgrep)),
    "'auto', 'off' or the absolute path of a ripgrep",
    given.ripgrep,
  );
  checkWeb(owner, given.web);
  if (given.search !== undefined) checkSearch(owner, given.search);
  checkNotes(owner, given);
}

/**
 * Refuses an argument that is no object, and members that nobody reads.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function checkNames(owner: string, given: object, known: readonly string[]): void {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  checkOption(owner, 'its argument', isObject, 'an object, or left out', given);
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const [nearest] = findNearestNames(unknown, known, 1);
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  throw new BuiltinsError(
    'INVALID_OPTION',
    `${owner}: there is no option ${JSON.stringify(unknown)}${meant} (there are ${known.join(', ')})`,
  );
}

/**
 * Refuses an option that has not the form it must have.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function checkOption(owner: string, name: string, isRight: boolean, expected: string, given: unknown): void {
  if (isRight) return;
  throw new BuiltinsError('INVALID_OPTION', `${owner}: ${name} must be ${expected}, not ${showGiven(given)}`);
}

function showGiven(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given.slice(0, 60));
  if (typeof given === 'object' && given !== null) return Array.isArray(given) ? 'a list' : 'an object';
  return typeof given === 'function' ? 'a function' : String(given);
}
