import type { ProcessResult } from './process-result.ts';
import type { RunProcessOptions } from './run-process-options.ts';
import { runToEnd } from './run-process-to-end.ts';

/**
 * Runs a command and makes sure that it ends. Rejects only with a TypeError that names an invalid option.
 *
 * Resolves when the command itself exits, even if other processes hold its pipes. At the deadline or on abort, the
 * command and all its descendants receive SIGTERM, and SIGKILL after `killGraceMs`. On Linux this includes daemons in
 * other groups and sessions, unless they cleared their environment, closed inherited descriptors and lost their parent.
 * Output up to then is returned. Memory is bounded for any output: escape sequences are removed, progress lines
 * collapsed and invalid UTF-8 replaced. If this process ends first, even by SIGKILL, all of them end.
 */
export function runProcess(options: RunProcessOptions): Promise<ProcessResult> {
  return runToEnd(options);
}
