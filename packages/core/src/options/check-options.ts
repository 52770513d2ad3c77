import { HaftError } from '../haft-error.ts';
import { findTableFault } from './compound-kinds.ts';
import { isRecord } from './is-record.ts';
import type { AnyOptionTable, OptionFault, OptionKind } from './option-kind.ts';
import { notValid } from './option-kinds.ts';

/** Creates the error of a package from a message. */
export type FailWith = (message: string) => Error;

const failWithHaftError: FailWith = (message) => new HaftError('INVALID_OPTION', message);

/**
 * Validates options: rejects missing required options, values of the wrong kind and unknown options. An undefined
 * option counts as missing.
 *
 * @param owner - the function that takes the options.
 * @param example - an example of valid options.
 * @param fail - creates the error; default `HaftError` with the code `INVALID_OPTION`.
 * @throws with a message such as `createDispatcher: workspaces is not an option (did you mean workspace?)`.
 */
export function checkOptions(
  owner: string,
  given: unknown,
  table: AnyOptionTable,
  example: string,
  fail: FailWith = failWithHaftError,
): void {
  throwFault(owner, fail, () =>
    isRecord(given) ? findTableFault(given, table) : notValid('its argument', `an object such as ${example}`, given),
  );
}

/**
 * Validates a single value, such as an argument next to the options.
 *
 * @param name - the name of the value in the message, such as `its first argument`.
 * @throws as {@link checkOptions}.
 * @example
 * import { checkOption, integerKind } from '@haft/core/options';
 * try {
 *   checkOption('openPool', 'size', 0, integerKind({ min: 1 }));
 * } catch (error) {
 *   (error as Error).message; // => 'openPool: size is not valid (expected a whole number from 1, got 0)'
 * }
 */
export function checkOption(
  owner: string,
  name: string,
  value: unknown,
  kind: OptionKind<never>,
  fail: FailWith = failWithHaftError,
): void {
  throwFault(owner, fail, () => kind.findFault(value, name));
}

function throwFault(owner: string, fail: FailWith, find: () => OptionFault | undefined): void {
  let fault: OptionFault | undefined;
  try {
    fault = find();
  } catch {
    // A getter or a proxy threw. The thrown value is not trustworthy.
    fault = { path: 'its argument', problem: 'could not be read (expected plain values, got one that throws)' };
  }
  if (fault !== undefined) throw fail(`${owner}: ${fault.path} ${fault.problem}`);
}
