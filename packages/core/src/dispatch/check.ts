import type { AnyTool } from '../contracts/tool.ts';
import type { CallRun } from './call-run.ts';
import { reject, type Rejection } from './rejection.ts';
import { raceCancellation } from './race-cancellation.ts';

/** Asks the tool itself whether it can work with these arguments; its issues keep the body from running. */
export async function check(run: CallRun, tool: AnyTool): Promise<Rejection | undefined> {
  let issues;
  try {
    issues = await raceCancellation(run, { timeoutMs: tool.timeoutMs }, tool.check!(run.args, run.context));
  } catch (cause) {
    return reject(
      'EXECUTION_ERROR',
      `the check of ${tool.name} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  if (issues === 'aborted') return reject('ABORTED', `${tool.name} was cancelled before it ran`);
  if (issues === 'timeout') return reject('TIMEOUT', `the check of ${tool.name} did not end in ${tool.timeoutMs} ms`);
  if (issues.length === 0) return undefined;
  return reject('INVALID_ARGS', `${tool.name} can't work with these arguments`, { issues });
}
