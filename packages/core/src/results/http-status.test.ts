import { describe, expect, it } from 'vitest';
import { errorCodes } from './error-codes.ts';
import { httpStatusOf } from './http-status.ts';

describe('httpStatusOf', () => {
  it('distinguishes missing, denied, timed-out and failed calls', () => {
    const statuses = (
      [
        'INVALID_ARGS',
        'TOOL_NOT_FOUND',
        'PERMISSION_DENIED',
        'RATE_LIMITED',
        'TIMEOUT',
        'EXECUTION_ERROR',
        'ABORTED',
      ] as const
    ).map((code) => httpStatusOf({ code, ...errorCodes[code] }));
    expect(statuses).toEqual([400, 404, 403, 429, 504, 500, 499]);
  });

  it('uses the fault for an unknown code, including names of Object.prototype', () => {
    expect(httpStatusOf({ code: 'OUT_OF_TEA', fault: 'world' })).toBe(502);
    expect(httpStatusOf({ code: 'constructor', fault: 'model' })).toBe(400);
    expect(httpStatusOf({ code: 'x', fault: 'nobody' as 'host' })).toBe(500);
  });

  it('returns an error status for every code', () => {
    for (const [code, { fault }] of Object.entries(errorCodes))
      expect(httpStatusOf({ code, fault })).toBeGreaterThan(399);
  });
});
