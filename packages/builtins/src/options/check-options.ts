import { checkOptions } from '@haft/core/options';
import { invalidOption } from '../builtins-error.ts';
import type { BuiltinDependencies } from './builtin-dependencies.ts';
import { dependencyKinds } from './dependency-kinds.ts';

/**
 * Rejects dependencies that a tool would ignore, or fail on at its first call.
 *
 * @throws BuiltinsError `INVALID_OPTION`, with the option, the expected and the given value.
 */
export function checkDependencies(owner: string, given: BuiltinDependencies): void {
  checkOptions(owner, given, dependencyKinds, '{ workspace }, or nothing', invalidOption);
}
