const factor = 8;
const maxRounds = 12;
/** Times below this number of milliseconds are too short to measure. */
const minMeasurableMs = 4;
/** A ratio that only linear growth gives, so that no further round is needed. */
const clearlyLinear = 2;
/** A ratio four times that of quadratic time. It is final under the same condition as one below the limit. */
const clearlySteep = 32;
/** A ratio below the limit is final when this many rounds in a row changed it by less than 5 percent. */
const settledRounds = 2;

/** A ratio above the limit is measured again with this many times the size. */
const largerSize = 2;

/** The limit of `growthOf` for linear time: above noise and `n log n`, below a square. */
export const linearGrowth = 4;

/**
 * Measures how much longer one input of eight times the size takes than eight inputs of that size: about 1 for linear
 * time, about 8 for quadratic time. It compares processor time. Both halves of a round take about as long and run one
 * after the other, so that a busy machine slows both. The best of each half counts. The large input comes first: whatever
 * its first run takes longer because the code is not compiled yet makes the ratio larger, never smaller. Rounds end as
 * soon as the ratio is clearly linear, or is below the limit or far above it and no longer changes; at most twelve are
 * run. A small input can fit into a fast cache of the processor and a large one not. So a ratio above the limit is
 * measured again with twice the size, and the smaller ratio counts: time that grows faster than linear does so at both.
 */
export async function growthOf<Input>(
  make: (size: number) => Input,
  run: (input: Input) => void | Promise<unknown>,
  size: number,
): Promise<number> {
  const growth = await measure(make(size), make(size * factor), run);
  if (growth < linearGrowth) return growth;
  const larger = size * largerSize;
  return Math.min(growth, await measure(make(larger), make(larger * factor), run));
}

async function measure<Input>(
  small: Input,
  large: Input,
  run: (input: Input) => void | Promise<unknown>,
): Promise<number> {
  let best = { before: Infinity, after: Infinity, growth: Infinity };
  let settled = 0;
  for (let round = 0; round < maxRounds && best.growth > clearlyLinear; round += 1) {
    const canEnd = best.growth < linearGrowth || best.growth > clearlySteep;
    if (canEnd && settled >= settledRounds) break;
    const after = Math.min(best.after, await timeOf(run, large, 1));
    const before = Math.min(best.before, await timeOfSmall(run, small));
    const growth = after / Math.max(before, minMeasurableMs);
    settled = Math.abs(growth - best.growth) < 0.05 * growth ? settled + 1 : 0;
    best = { before, after, growth };
  }
  return best.growth;
}

/** Twice the better half, so that a garbage collection in one half can't make a large input look cheap. */
async function timeOfSmall<Input>(run: (input: Input) => void | Promise<unknown>, small: Input): Promise<number> {
  const half = factor / 2;
  return 2 * Math.min(await timeOf(run, small, half), await timeOf(run, small, half));
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
