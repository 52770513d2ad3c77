import type { ToolResult } from '../contracts/result.ts';
import { describeCause } from '../describe-cause.ts';
import { wrapReturn } from '../results/wrap-return.ts';
import type { CallRun } from './call-run.ts';
import { reject, type Rejection } from './rejection.ts';

/** Makes a result of what a body or middleware gave back, or says why it can't be one. */
export function readReturned(run: CallRun, returned: unknown): ToolResult | Rejection {
  try {
    return wrapReturn(run.call.id, returned);
  } catch (cause) {
    const message = `${run.call.name} returned what no result can carry: ${describeCause(cause)}`;
    return reject('OUTPUT_INVALID', message, { cause });
  }
}
