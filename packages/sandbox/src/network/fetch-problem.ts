import { createFailure, errnoOf, type SandboxErrorCode, type SandboxFailure } from '../sandbox-failure.ts';

/** What ends a fetch, thrown inside of it and told as data outside. */
export class FetchProblem extends Error {
  override readonly name = 'FetchProblem';
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Says a problem, or what the network reported, as a failure. */
export function toFetchFailure(error: unknown): SandboxFailure {
  if (error instanceof FetchProblem) return createFailure(error.code, error.message);
  return createFailure('FETCH_FAILED', `The connection failed: ${errnoOf(error) || 'it broke off'}`);
}
