import type { Fault } from '../contracts/fault.ts';

interface ErrorKind {
  readonly fault: Fault;
  readonly retryable: boolean;
}

const kind = (fault: Fault, retryable = false): ErrorKind => ({ fault, retryable });

/**
 * Every code that a tool result of Haft's own can carry, with its usual fault. Codes are permanent;
 * `docs/errors.md` explains each. Tools from elsewhere may use codes of their own and name the fault.
 */
export const errorCodes = {
  // Finding and reading the call
  TOOL_NOT_FOUND: kind('model'),
  TOOL_UNAVAILABLE: kind('world', true),
  INVALID_JSON: kind('model'),
  TRUNCATED_ARGS: kind('model'),
  INVALID_ARGS: kind('model'),
  // Permission
  PERMISSION_DENIED: kind('policy'),
  PERMISSION_ENGINE_FAILED: kind('host'),
  OUTSIDE_READ_ROOTS: kind('policy'),
  OUTSIDE_WRITE_ROOTS: kind('policy'),
  // Running
  TIMEOUT: kind('world', true),
  ABORTED: kind('cancelled'),
  EXECUTION_ERROR: kind('host'),
  OUTPUT_INVALID: kind('host'),
  SKIPPED: kind('policy'),
  LIMIT_REACHED: kind('policy'),
  // Files
  NOT_FOUND: kind('model'),
  ALREADY_EXISTS: kind('model'),
  IS_DIRECTORY: kind('model'),
  NOT_DIRECTORY: kind('model'),
  NOT_REGULAR_FILE: kind('model'),
  BINARY_FILE: kind('model'),
  FILE_TOO_LARGE: kind('model'),
  READ_ERROR: kind('world'),
  WRITE_ERROR: kind('world'),
  NOT_READ: kind('model'),
  CHANGED_ON_DISK: kind('model'),
  TEXT_NOT_FOUND: kind('model'),
  TEXT_MULTIPLE_MATCHES: kind('model'),
  NO_CHANGE: kind('model'),
  INVALID_PATTERN: kind('model'),
  // Processes
  EXIT_CODE: kind('world'),
  SPAWN_FAILED: kind('world'),
  // Connections and plugins
  CONNECTION_LOST: kind('world', true),
  REMOTE_ERROR: kind('world'),
  PLUGIN_FAILED: kind('host'),
  // Models
  MODEL_FAILED: kind('world', true),
} as const satisfies Readonly<Record<string, ErrorKind>>;

/** One of Haft's own error codes. */
export type ErrorCode = keyof typeof errorCodes;
