/** The process in which one reader, named by the first argument, reads pathological texts. */
import { pathologicalShapes } from '@haft-tooling/corpora/damaged-json';
import { loadReader } from '@haft-tooling/peers/damaged-json/readers';
import { serveQuestions } from '@haft-tooling/measure';

/** A request to read a shape of the given length. */
export interface Trial {
  readonly id: string;
  readonly shape: string;
  readonly length: number;
}

/** The outcome. */
export interface TrialOutcome {
  readonly cpuMs: number;
  /** `overflow`: the stack overflowed. `threw`: any other error, which a caller can still catch. */
  readonly ended: 'well' | 'overflow' | 'threw';
}

const read = await loadReader(process.argv[2]);

serveQuestions(async ({ shape, length }: Trial): Promise<TrialOutcome> => {
  const text = pathologicalShapes.find((one) => one.name === shape)?.make(length) ?? '';
  const before = process.cpuUsage();
  let ended: TrialOutcome['ended'] = 'well';
  try {
    await read(text);
  } catch (error) {
    ended = error instanceof RangeError && /call stack/i.test(error.message) ? 'overflow' : 'threw';
  }
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000, ended };
});
