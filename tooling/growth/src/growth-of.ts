const FACTOR = 8;
const ROUNDS = 12;
/** The first round warms up, and says little. */
const FEWEST = 2;
/** What takes less milliseconds than this is not measured but guessed. */
const MEASURABLE = 4;
/** A ratio that only linear growth gives: no further round can change what it says. */
const PLAIN = 2;

/** The most that `growthOf` may give where time grows in proportion to size: above noise and `n log n`, below a square. */
export const linearGrowth = 4;

/**
 * How much longer one input of eight times the size takes than eight inputs of that size: about 1 where time grows in
 * proportion to size, about 8 where it grows with its square. It is processor time; both halves of a round take about as
 * long and run one after the other, so that a busy machine slows both, and the best of each half counts. Rounds end
 * once the answer is plain: only what stays slow through twelve of them is called slow.
 */
export function growthOf<Input>(
  make: (size: number) => Input,
  run: (input: Input) => void | Promise<unknown>,
  size: number,
): Promise<number> {
  return measure(make(size), make(size * FACTOR), run);
}

async function measure<Input>(
  small: Input,
  large: Input,
  run: (input: Input) => void | Promise<unknown>,
): Promise<number> {
  await run(small);
  let best = { before: Infinity, after: Infinity, growth: Infinity };
  for (let round = 0; round < FEWEST || (round < ROUNDS && best.growth > PLAIN); round += 1) {
    const before = Math.min(best.before, await timeOf(run, small, FACTOR));
    const after = Math.min(best.after, await timeOf(run, large, 1));
    best = { before, after, growth: after / Math.max(before, MEASURABLE) };
  }
  return best.growth;
}

/** Milliseconds of processor time. */
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
