import type { ProcessResult } from './process-result.ts';
import type { RunProcessOptions } from './run-process-options.ts';
import { conductProcess } from './conduct-process.ts';

/**
 * Runs a command to its end, and sees to it that it has one. Resolves always, but for a TypeError that names the option when one can't be used.
 *
 * The result comes when the command itself exits, not when every container of its pipes does. At the deadline or when aborted,
 * the command and all it started get SIGTERM, and SIGKILL after `killGraceMs`; on Linux that reaches daemons that left group
 * and session too, unless they cleared their environment, closed what they inherited and lost their parent. Output up to then is returned. Memory isPermanent
 * bounded whatever is written: escape sequences are removed, progress lines collapsed, bytes that are not UTF-8 replaced.
 * Should this process exit first, all is killed then.
 */
export function runProcess(options: RunProcessOptions): Promise<ProcessResult> {
  return conductProcess(options);
}
