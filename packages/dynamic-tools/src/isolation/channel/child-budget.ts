/** The units in which unrequested output of a child process is limited. */
export type BudgetName = 'bytes' | 'messages' | 'host time';

/** The cost of a part of a child's output. */
export interface ChildCost {
  readonly bytes?: number;
  readonly messages?: number;
  /** Time that the host spent on the output, in milliseconds of `hostTime`. */
  readonly hostMs?: number;
}

// Node measures single threads since 23.9.
const { threadCpuUsage } = process as Partial<Pick<NodeJS.Process, 'threadCpuUsage'>>;

/**
 * Returns the processor time of this thread in milliseconds, or of this process in older versions of Node. A child is not
 * charged for the time during which the host waits for a processor.
 */
export function hostTime(): number {
  const { user, system } = threadCpuUsage?.call(process) ?? process.cpuUsage();
  return (user + system) / 1_000;
}

/** The budgets of one child process, shared by all of its streams. */
export interface ChildBudget {
  /** Charges for unrequested output. Returns the budget that is exceeded, if any. */
  charge(cost: ChildCost): BudgetName | undefined;
  /** Whether the child sends so many messages that progress and log lines are dropped. */
  readonly isOverloaded: boolean;
}

interface Limit {
  /** Amount that can be spent at once. */
  readonly burst: number;
  /** Amount that is restored per second. */
  readonly perSecond: number;
}

/**
 * Answers to calls cost nothing here: the host decides how many calls there are, and the size of each answer is
 * limited. A fifth of the host's time is far more than normal plugins need, and keeps the host responsive.
 */
export const childLimits: Readonly<Record<BudgetName, Limit>> = {
  bytes: { burst: 32 * 1024 * 1024, perSecond: 8 * 1024 * 1024 },
  messages: { burst: 20_000, perSecond: 5_000 },
  'host time': { burst: 500, perSecond: 200 },
};

/** Creates full budgets. They refill steadily. */
export function createChildBudget(now: () => number = () => performance.now()): ChildBudget {
  let refilledAt = now();
  const left = new Map<BudgetName, number>(budgetNames.map((name) => [name, childLimits[name].burst]));

  const refill = (): void => {
    const at = now();
    const seconds = (at - refilledAt) / 1_000;
    refilledAt = at;
    for (const name of budgetNames) {
      const { burst, perSecond } = childLimits[name];
      left.set(name, Math.min(burst, left.get(name)! + seconds * perSecond));
    }
  };
  const spend = (name: BudgetName, amount: number): boolean => {
    const rest = left.get(name)! - amount;
    left.set(name, rest);
    return rest < 0;
  };

  return {
    charge({ bytes = 0, messages = 0, hostMs = 0 }) {
      refill();
      const costs = { bytes, messages, 'host time': hostMs };
      let exceeded: BudgetName | undefined;
      for (const name of budgetNames) if (spend(name, costs[name])) exceeded ??= name;
      return exceeded;
    },
    get isOverloaded() {
      return left.get('messages')! < childLimits.messages.burst - childLimits.messages.perSecond;
    },
  };
}

const budgetNames = ['bytes', 'messages', 'host time'] as const;
