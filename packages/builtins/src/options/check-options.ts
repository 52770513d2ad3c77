import { checkNames, checkOption } from '../option-values.ts';
import { isAbsolute } from 'node:path';
import type { BuiltinDependencies } from './builtin-dependencies.ts';
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
    'one that createProcessManager() of @haft/sandbox made',
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
