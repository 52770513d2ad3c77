import { checkOptions } from '@haft/core/options';
import { invalidOption } from '../builtins-error.ts';
import type { BuiltinDependencies } from './builtin-dependencies.ts';
import { dependencyKinds } from './dependency-kinds.ts';

/**
 * Refuses dependencies that a tool would work without, or fail on at its first call.
 *
 * @throws BuiltinsError `INVALID_OPTION`, naming the option, what was expected and what was given.
 */
export function checkDependencies(owner: string, given: BuiltinDependencies): void {
  checkOptions(owner, given, dependencyKinds, '{ workspace }, or nothing', invalidOption);
}
