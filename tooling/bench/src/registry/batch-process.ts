/**
 * Plays random batches with the fixtures of `@haft/core`, which are not published. The argument is the number of batches
 * in each mode. Prints how many went wrong.
 */
interface Fixture {
  readonly countWrongBatches: (batches: number) => Promise<number>;
}

const file = new URL('../../../../packages/core/src/fixtures/count-wrong-batches.ts', import.meta.url);
const { countWrongBatches } = (await import(file.href)) as Fixture;
process.stdout.write(JSON.stringify(await countWrongBatches(Number(process.argv[2]))));
