import type { Fault } from '../contracts/results/fault.ts';

const byFault = {
  model: [
    // The call itself
    'TOOL_NOT_FOUND',
    'INVALID_JSON',
    'TRUNCATED_ARGS',
    'INVALID_ARGS',
    // Files
    'NOT_FOUND',
    'ALREADY_EXISTS',
    'IS_DIRECTORY',
    'NOT_DIRECTORY',
    'NOT_REGULAR_FILE',
    'BINARY_FILE',
    'FILE_TOO_LARGE',
    'NOT_READ',
    'CHANGED_ON_DISK',
    'TEXT_NOT_FOUND',
    'TEXT_MULTIPLE_MATCHES',
    'NO_CHANGE',
    'INVALID_PATTERN',
    'REPEATED_CALL',
    'PROGRAM_FAILED',
  ],
  world: [
    'TOOL_UNAVAILABLE',
    'TIMEOUT',
    'RATE_LIMITED',
    'READ_ERROR',
    'WRITE_ERROR',
    'EXIT_CODE',
    'SPAWN_FAILED',
    'CONNECTION_LOST',
    'REMOTE_ERROR',
    'MODEL_FAILED',
    'OUTCOME_UNKNOWN',
  ],
  policy: [
    'PERMISSION_DENIED',
    'OUTSIDE_READ_ROOTS',
    'OUTSIDE_WRITE_ROOTS',
    'TARGET_CHANGED',
    'SKIPPED',
    'LIMIT_REACHED',
    'POLICY_BLOCKED',
  ],
  host: ['PERMISSION_ENGINE_FAILED', 'EXECUTION_ERROR', 'OUTPUT_INVALID', 'PLUGIN_FAILED'],
  cancelled: ['ABORTED'],
} as const;

/** An error code of Haft. */
export type ErrorCode = (typeof byFault)[Fault][number];

/** The default properties of an error code. */
export interface ErrorKind {
  readonly fault: Fault;
  /** Whether the same call may succeed later without changes. */
  readonly retryable: boolean;
}

const retryable: ReadonlySet<ErrorCode> = new Set([
  'TOOL_UNAVAILABLE',
  'TIMEOUT',
  'RATE_LIMITED',
  'CONNECTION_LOST',
  'MODEL_FAILED',
]);

/**
 * All error codes of Haft that a tool result can have, with their default faults. Codes are permanent, and
 * `docs/errors.md` explains each one. External tools may use their own codes and specify the fault.
 */
export const errorCodes: Readonly<Record<ErrorCode, ErrorKind>> = /* @__PURE__ */ tabulate();

function tabulate(): Record<ErrorCode, ErrorKind> {
  const table: Partial<Record<ErrorCode, ErrorKind>> = {};
  for (const [fault, codes] of Object.entries(byFault)) {
    for (const code of codes) table[code] = { fault: fault as Fault, retryable: retryable.has(code) };
  }
  return table as Record<ErrorCode, ErrorKind>;
}
