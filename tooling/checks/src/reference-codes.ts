const spellings = {
  zarlmono: 'validation not_found permission transient budget fatal stale',
  hygge: 'invalid_args permission_denied execution_failed empty_old_string no_change not_found_in_file ambiguous',
  pagantic: 'TOOL_UNAVAILABLE TOOL_EXECUTION_FAILED execute_cancelled',
  'go-llm': 'ErrNotFound ErrBadParameter ErrConflict max_iterations',
  dskcode: `READ_ERROR WRITE_ERROR EDIT_ERROR MULTI_EDIT_ERROR DELETE_RANGE_ERROR GLOB_ERROR GREP_ERROR LS_ERROR
    FILE_TOO_LARGE BINARY_FILE IS_DIRECTORY NOT_DIRECTORY TEXT_NOT_FOUND TEXT_MULTIPLE_MATCHES ANCHOR_NOT_FOUND
    ANCHOR_ORDER_ERROR EMPTY_RANGE OUTSIDE_WRITE_ROOTS EXIT_CODE_n EXIT_CODE_UNKNOWN INVALID_ARGS INVALID_STEP_ARGS
    PARTIAL_JSON INVALID_JSON TOOL_NOT_FOUND GATE_DENIED BLACKLIST_DENIED EXECUTION_ERROR`,
} as const;

/**
 * The codes of the systems that Haft replaces. `docs/errors.md` must name each, so that users who search for the old
 * code find the new one.
 */
export const referenceCodes: readonly string[] = Object.values(spellings).flatMap((codes) => codes.split(/\s+/));
