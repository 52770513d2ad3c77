const factor = 8;
const maxRounds = 12;
/** Number of rounds. The first one only warms up. */
const minRounds = 2;
/** Times below this number of milliseconds are too short to measure. */
const minMeasurableMs = 4;
/** A ratio that only linear growth gives, so that no further round is needed. */
const clearlyLinear = 2;

/** The limit of `growthOf` for linear time: above noise and `n log n`, below a square. */
export const linearGrowth = 4;

/**
 * Measures how much longer one input of eight times the size takes than eight inputs of that size: about 1 for linear
 * time, about 8 for quadratic time. It compares processor time. Both halves of a round take about as long and run one
 * after the other, so that a busy machine slows both. The best of each half counts. Rounds end as soon as the ratio is
 * clearly linear; at most twelve are run.
 */
export function growthOf<Input>(
  make: (size: number) => Input,
  run: (input: Input) => void | Promise<unknown>,
  size: number,
): Promise<number> {
  return measure(make(size), make(size * factor), run);
}

async function measure<Input>(
  small: Input,
  large: Input,
  run: (input: Input) => void | Promise<unknown>,
): Promise<number> {
  await run(small);
  let best = { before: Infinity, after: Infinity, growth: Infinity };
  for (let round = 0; round < minRounds || (round < maxRounds && best.growth > clearlyLinear); round += 1) {
    const before = Math.min(best.before, await timeOf(run, small, factor));
    const after = Math.min(best.after, await timeOf(run, large, 1));
    best = { before, after, growth: after / Math.max(before, minMeasurableMs) };
  }
  return best.growth;
}

/** Returns milliseconds of processor time. */
async function timeOf<Input>(
  run: (input: Input) => void | Promise<unknown>,
  input: Input,
  times: number,
): Promise<number> {
  const start = process.cpuUsage();
  for (let time = 0; time < times; time += 1) {
    const running = run(input);
    if (running !== undefined) await running;
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
