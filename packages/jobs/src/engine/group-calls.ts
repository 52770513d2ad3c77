/**
 * Groups the calls that arrive while an earlier group is under way, so that many jobs need few transactions. The first
 * call starts at once. Every call of a group gets its own answer, or the error of the group.
 *
 * @param run - handles a group and returns one answer per item, in order.
 */
export function groupCalls<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  maxGroup = 200,
): (item: Item) => Promise<Answer> {
  interface Waiting {
    readonly item: Item;
    readonly resolve: (answer: Answer) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let isRunning = false;

  const drain = async (): Promise<void> => {
    isRunning = true;
    // Calls made in the same turn of the event loop belong to one group.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const group = waiting.slice(0, maxGroup);
      waiting = waiting.slice(maxGroup);
      try {
        const answers = await run(group.map(({ item }) => item));
        for (const [index, { resolve }] of group.entries()) resolve(answers[index]!);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isRunning = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void drain();
    });
}
