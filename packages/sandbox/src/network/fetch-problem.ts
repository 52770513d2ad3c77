import { createFailure, errnoOf, type SandboxErrorCode, type SandboxFailure } from '../sandbox-failure.ts';

/** The reason why a fetch failed. Thrown internally and returned as data. */
export class FetchProblem extends Error {
  override readonly name = 'FetchProblem';
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Converts a problem or network error to a failure. */
export function toFetchFailure(error: unknown): SandboxFailure {
  if (error instanceof FetchProblem) return createFailure(error.code, error.message);
  return createFailure('FETCH_FAILED', `the connection failed: ${errnoOf(error) || 'it was closed early'}`);
}
