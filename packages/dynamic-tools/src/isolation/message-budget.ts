/** Counts what a plugin sends without having been asked. */
export interface MessageBudget {
  /** What to do with one more message: take it, drop it, or end who sends so much. */
  spend(bytes: number): 'take' | 'drop' | 'end';
}

/** Of one second: more than any tool tells of its progress, and what would keep the host busy. */
const mostTaken = 5_000;
const mostHeard = 50_000;
const mostBytes = 64 * 1024 * 1024;

/** Makes a budget that is full again every second. */
export function createMessageBudget(now: () => number = Date.now): MessageBudget {
  let since = now();
  let messages = 0;
  let total = 0;
  return {
    spend(bytes) {
      const at = now();
      if (at - since >= 1_000) {
        since = at;
        messages = 0;
        total = 0;
      }
      messages += 1;
      total += bytes;
      if (messages > mostHeard || total > mostBytes) return 'end';
      return messages > mostTaken ? 'drop' : 'take';
    },
  };
}
