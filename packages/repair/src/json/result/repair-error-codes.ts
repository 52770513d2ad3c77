/**
 * Every code with which reading JSON can fail.
 * `INVALID_JSON`: no reading holds. `JSON_TOO_LARGE`, `JSON_TOO_DEEP`: a limit was passed.
 * `DUPLICATE_KEY`, `UNSAFE_INTEGER`: refused on request, see `Limits`.
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
