import type { Invocation } from './command.ts';
import { UsageError } from './usage-error.ts';

/** Reads an option that counts something, or returns undefined if it was not given. @throws UsageError */
export function readCount({ value }: Pick<Invocation, 'value'>, name: string, max: number): number | undefined {
  const given = value(name);
  if (given === undefined) return undefined;
  const count = /^\d{1,9}$/.test(given) ? Number(given) : NaN;
  if (!(count >= 1 && count <= max)) throw new UsageError(`--${name} ${given}: expected a number from 1 to ${max}`);
  return count;
}
