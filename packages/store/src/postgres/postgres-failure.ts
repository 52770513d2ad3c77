import { StoreError } from '../store-error.ts';
import type { StoreErrorCode } from '../store-error.ts';

/** Returns the SQLSTATE of an error of the server; an empty string for connection errors and others. */
export function sqlStateOf(error: unknown): string {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** Returns true if an error may be a defect of this program rather than a failure of the server or connection. */
function isDefect(error: unknown): boolean {
  return !(error instanceof Error) || error instanceof TypeError || error instanceof RangeError;
}

/**
 * Returns true if a retry may succeed: the connection failed, or the server was shutting down, starting or out of
 * connections. Source: appendix A of the PostgreSQL manual.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (isDefect(error) || error instanceof StoreError) return false;
  const state = sqlStateOf(error);
  return state === '' || /^(?:08|57P0[123]|53300|25P03)/.test(state);
}

/** Converts a failure of the server or connection to a store error. Returns defects unchanged. */
export function toStoreError(error: unknown, doing: string): unknown {
  if (isDefect(error) || error instanceof StoreError || !(error instanceof Error)) return error;
  const state = sqlStateOf(error);
  const detail = state === '' ? error.message || nameOf(error) : `${error.message} (${state})`;
  return new StoreError(storeCodeOf(state), `${doing}: ${detail}`, { cause: error });
}

/** When several addresses refuse a connection, the error has no message. */
function nameOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name;
}

function storeCodeOf(state: string): StoreErrorCode {
  if (state === '53100') return 'FULL';
  return state === 'XX001' || state === 'XX002' ? 'CORRUPT' : 'UNAVAILABLE';
}
