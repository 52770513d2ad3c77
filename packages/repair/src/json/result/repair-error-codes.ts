/**
 * The error codes of reading JSON.
 * `INVALID_JSON`: the text can't be read. `JSON_TOO_LARGE`, `JSON_TOO_DEEP`: a limit was exceeded.
 * `DUPLICATE_KEY`, `UNSAFE_INTEGER`: rejected on request, see `Limits`.
 */
export const repairErrorCodes = [
  'INVALID_JSON',
  'JSON_TOO_LARGE',
  'JSON_TOO_DEEP',
  'DUPLICATE_KEY',
  'UNSAFE_INTEGER',
] as const;

/** One of `repairErrorCodes`. */
export type RepairErrorCode = (typeof repairErrorCodes)[number];
