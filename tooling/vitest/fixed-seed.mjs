import { configureGlobal } from 'fast-check';

/**
 * Gives every property test the same seed in every run, so that everybody can reproduce a failure. `HAFT_SEED=123` sets
 * another seed; the long forms (`pnpm test:long`) use a new seed each time and print it.
 */
const fixed = 20_261_121;
const chosen = process.env.HAFT_SEED;
const seed = chosen ? Number(chosen) : process.env.HAFT_TEST_LONG ? Date.now() % 2 ** 31 : fixed;
if (!Number.isSafeInteger(seed)) throw new TypeError(`HAFT_SEED must be a whole number, not ${JSON.stringify(chosen)}`);
if (seed !== fixed) console.log(`property tests with HAFT_SEED=${seed}`);
configureGlobal({ seed });
