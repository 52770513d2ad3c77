import type { BudgetName } from '../channel/child-budget.ts';

/** What a plugin's process sent too much of. */
export type ExceededBudget = BudgetName | 'message size' | 'message complexity' | 'unread messages';

/** How a plugin's process came to its end. */
export interface PluginExit {
  /** Why it ended. */
  readonly cause:
    /** By itself, or killed from outside. */
    | 'exit'
    /** It answered nothing for too long: an endless loop, perhaps. */
    | 'unresponsive'
    /** It exceeded a budget of what it may send; `budget` names it. */
    | 'flood'
    /** It sent an invalid message or an answer without a question. */
    | 'protocol'
    /** It held more memory than it may. */
    | 'memory'
    /** It used a processor while idle. */
    | 'processor'
    /** It was asked to. */
    | 'closed';
  /** The budget that it exceeded. */
  readonly budget?: ExceededBudget;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of what it wrote to standard error and standard output. */
  readonly output: string;
}

/** Why it ended, in a few words that follow the plugin's name. */
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
