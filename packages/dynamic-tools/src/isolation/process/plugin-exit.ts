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

/** Returns the reason in a few words that follow the plugin's name. */
export function describeExit({ cause, budget, exitCode, signal, output }: PluginExit): string {
  const last = output.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
  const words = last === '' ? '' : `: ${last}`;
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
      return signal === null ? `exited with code ${exitCode ?? 0}${words}` : `was killed by ${signal}${words}`;
  }
}
