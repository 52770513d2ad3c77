import type { BudgetName } from '../channel/child-budget.ts';

/** The budget that a plugin's process exceeded. */
export type ExceededBudget = BudgetName | 'message size' | 'message complexity' | 'unread messages';

/** How a plugin's process ended. */
export interface PluginExit {
  /** The reason for the end. */
  readonly cause:
    /** It exited by itself, or was killed from outside. */
    | 'exit'
    /** It did not respond in time, for example because of an endless loop. */
    | 'unresponsive'
    /** It exceeded an output budget, which `budget` names. */
    | 'flood'
    /** It sent an invalid message, or an answer without a question. */
    | 'protocol'
    /** It exceeded its memory limit. */
    | 'memory'
    /** It used too much processor time while idle. */
    | 'processor'
    /** The host closed it. */
    | 'closed';
  /** The budget that was exceeded. */
  readonly budget?: ExceededBudget;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The last lines of its standard output and standard error. */
  readonly output: string;
}

/** Returns the reason in a few words that follow the plugin's name. Contains no words of the plugin. */
export function describeExit({ cause, budget, exitCode, signal }: PluginExit): string {
  switch (cause) {
    case 'unresponsive':
      return 'did not respond in time and was stopped';
    case 'flood':
      return `exceeded its output budget${budget === undefined ? '' : ` (${budget})`} and was stopped`;
    case 'protocol':
      return 'violated the protocol and was stopped';
    case 'memory':
      return 'exceeded its memory limit and was stopped';
    case 'processor':
      return 'used a processor while idle and was stopped';
    case 'closed':
      return 'was stopped';
    default:
      return signal === null ? `exited with code ${exitCode ?? 0}` : `was killed by ${signal}`;
  }
}

const maxCharacters = 300;

/**
 * Returns the reason, and what the process printed about it, for developers.
 *
 * @param when when it ended, such as ` during the call`.
 */
export function explainExit(exit: PluginExit, when = ''): string {
  const error = exit.cause === 'exit' ? findError(exit.output).slice(0, maxCharacters) : '';
  return `${describeExit(exit)}${when}${error === '' ? '' : `: ${error}`}`;
}

/**
 * Finds the uncaught error in the output of a Node process. Node prints it after the position, which ends with a line of
 * carets, and before its own version. Returns the last line if there is no such error.
 */
function findError(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const last = lines.at(-1) ?? '';
  if (!/^Node\.js v\d/.test(last)) return lines.find((line) => line.startsWith('FATAL ERROR: ')) ?? last;
  const carets = lines.findLastIndex((line) => /^\^+$/.test(line));
  // Without the position, the error itself is not in the recorded output.
  return carets < 0 ? '' : lines[carets + 1]!;
}
