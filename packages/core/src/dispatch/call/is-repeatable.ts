import type { CallRun } from './call-run.ts';

/** Checks whether a second run of the body has no further effect. */
export function isRepeatable({ tool, options }: CallRun): boolean {
  const { readOnly, idempotent } = tool!.traits;
  return readOnly || (idempotent === 'by-key' ? options.given.idempotencyKey !== undefined : idempotent);
}
