import { StoreError } from '../store-error.ts';
import type { StoreErrorCode } from '../store-error.ts';

/** The five characters that PostgreSQL puts into its errors; empty for errors of the connection, and others. */
export function sqlStateOf(error: unknown): string {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** Whether an error may come from a mistake in this program rather than from a server or the way to it. */
function isDefect(error: unknown): boolean {
  return !(error instanceof Error) || error instanceof TypeError || error instanceof RangeError;
}

/**
 * Whether the connection broke or could not be made, or the server ended it, started or could not take one more, so
 * that the next attempt may do better. Source: appendix A of PostgreSQL's manual.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (isDefect(error) || error instanceof StoreError) return false;
  const state = sqlStateOf(error);
  return state === '' || /^(?:08|57P0[123]|53300|25P03)/.test(state);
}

/** What the server or the way to it reported, as an error of the store; a defect comes back as it is. */
export function toStoreError(error: unknown, doing: string): unknown {
  if (isDefect(error) || error instanceof StoreError || !(error instanceof Error)) return error;
  const state = sqlStateOf(error);
  const what = state === '' ? error.message || nameOf(error) : `${error.message} (${state})`;
  return new StoreError(storeCodeOf(state), `${doing}: ${what}`, { cause: error });
}

/** Several addresses that all refused come as one error without a message. */
function nameOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name;
}

function storeCodeOf(state: string): StoreErrorCode {
  if (state === '53100') return 'FULL';
  return state === 'XX001' || state === 'XX002' ? 'CORRUPT' : 'UNAVAILABLE';
}
