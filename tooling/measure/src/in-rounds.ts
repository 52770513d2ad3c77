/**
 * Runs every contender once per round and returns their outcomes. Every second round runs in reverse order, so that no
 * contender always follows the same one. Outcomes of the rounds of the warm-up are dropped.
 */
export async function inRounds<Name extends string, Outcome>(
  names: readonly Name[],
  rounds: number,
  run: (name: Name, round: number) => Promise<Outcome> | Outcome,
  warmUp = 0,
): Promise<Readonly<Record<Name, readonly Outcome[]>>> {
  const outcomes = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Outcome[]>;
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const outcome = await run(name, round);
      if (round >= 0) outcomes[name].push(outcome);
    }
  }
  return outcomes;
}

/** Returns the milliseconds that a function takes, and waits for its promise. */
export async function millisecondsOf(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
