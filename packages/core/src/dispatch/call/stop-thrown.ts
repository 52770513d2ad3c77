import { describeCause } from '../../describe-cause.ts';
import { maskThrownText } from '../../results/mask-thrown-text.ts';
import { readToolError } from '../../results/read-error.ts';
import { isToolError } from '../../results/tool-result.ts';
import type { CallRun } from './call-run.ts';
import { stop, Stop } from './stop.ts';

/** Converts a value that the tool threw into a stop: a tool error as it is, anything else as an `EXECUTION_ERROR`. */
export function stopThrown(run: CallRun, operation: string, thrown: unknown): Stop {
  try {
    if (isToolError(thrown)) return new Stop(readToolError(thrown));
  } catch {
    // Only resembles a tool error.
  }
  const shown = textForModel(run, thrown);
  return stop('EXECUTION_ERROR', `${operation}: ${describeCause(thrown)}`, {
    cause: thrown,
    ...(shown === '' ? {} : { modelMessage: `the tool ${run.tool!.name} failed: ${shown}`, hint }),
  });
}

const hint = 'If the arguments caused this, correct them and call the tool again. Otherwise, continue without it.';

/** Returns the text of a thrown error or string with internals masked, or `''` if the model must not see any. */
function textForModel({ config, tool }: CallRun, thrown: unknown): string {
  if (config.errors === 'redact' || tool!.errors === 'redact') return '';
  try {
    const message: unknown = (thrown as Partial<Error> | null | undefined)?.message;
    const hasText = typeof thrown === 'string' || (typeof message === 'string' && message !== '');
    return hasText ? maskThrownText(describeCause(thrown), config.workspace.cwd) : '';
  } catch {
    return '';
  }
}
