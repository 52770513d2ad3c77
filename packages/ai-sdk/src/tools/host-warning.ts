import type { ToolResult } from '@haft/core';

/** Receives a message for the developer. */
export type WarningListener = (message: string, cause: unknown) => void;

/**
 * Reports a failure that only the developer can fix: a fault of the program, or a denial because no permission engine was
 * passed. Errors of the listener are ignored: a call must not fail twice.
 */
export function warnOfHostFault(result: ToolResult, onWarning: WarningListener): void {
  if (result.ok) return;
  const { code, fault, message, cause, denial } = result.error;
  if (fault !== 'host' && denial?.source !== 'no-approver') return;
  try {
    onWarning(`${code}: ${message}`, cause);
  } catch {
    // Nothing can receive the error.
  }
}

/** Prints a warning for the developer. */
export function printWarning(message: string, cause: unknown): void {
  console.warn(`Haft: ${message}`, ...(cause === undefined ? [] : [cause]));
}
