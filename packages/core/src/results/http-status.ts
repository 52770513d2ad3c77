import type { ToolError } from '../contracts/results/error.ts';

/** Codes with a more specific status than their fault. */
const byCode: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  TOOL_NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  CHANGED_ON_DISK: 409,
  CONFLICT: 409,
  FILE_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  LIMIT_REACHED: 429,
  BAD_PARAMETER: 400,
  TOOL_UNAVAILABLE: 503,
  CLOSED: 503,
  TIMEOUT: 504,
};

const byFault: Readonly<Record<ToolError['fault'], number>> = {
  model: 400,
  policy: 403,
  world: 502,
  host: 500,
  cancelled: 499,
};

/**
 * Returns the HTTP status for an error, for programs that offer calls over HTTP. Some codes have their own status. All
 * others use the status of the fault (`model` 400, `policy` 403, `world` 502, `host` 500, `cancelled` 499).
 *
 * @example
 * import { httpStatusOf } from '@haft/core/results';
 * httpStatusOf({ code: 'TOOL_NOT_FOUND', fault: 'model' }); // => 404
 * httpStatusOf({ code: 'PERMISSION_DENIED', fault: 'policy' }); // => 403
 */
export function httpStatusOf({ code, fault }: Pick<ToolError, 'code' | 'fault'>): number {
  return Object.hasOwn(byCode, code) ? byCode[code]! : (byFault[fault] ?? 500);
}
