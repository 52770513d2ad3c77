import { checkInput, checkText } from './check-input.ts';
import { createSource } from './generate/create-source.ts';
import type { Failure, FuzzInput } from './input.ts';
import { minimise } from './minimise.ts';

/** How long and from where to fuzz. */
export interface FuzzOptions {
  readonly seed: string;
  /** Inputs to read. */
  readonly count: number;
  /** Told before an input is read, so that one on which reading never comes back is known. */
  readonly onInput?: (input: FuzzInput) => void;
  /** Told now and then how many inputs have been read; answers whether to go on. */
  readonly onProgress?: (done: number) => boolean;
}

/** What came of it. */
export interface FuzzReport {
  readonly done: number;
  readonly failures: readonly Failure[];
  /** In how many different ways texts were read. */
  readonly traits: number;
}

/** Of one law so many failures are kept: more of them say nothing new. */
const mostOfOneLaw = 3;
const between = 256;

/** Reads made-up inputs and collects those that break a law, each as short as it can be made. */
export async function runFuzz({ seed, count, onInput, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const source = createSource(seed);
  const seen = new Set<string>();
  const failures: Failure[] = [];
  let done = 0;
  for (; done < count; done += 1) {
    if (done % between === 0 && onProgress?.(done) === false) break;
    const input = source.next();
    onInput?.(input);
    // Not awaited where nothing has to be: millions of turns of the loop would take longer than reading.
    const outcome = input.target === 'growth' ? await checkInput(input) : checkText({ ...input, target: input.target });
    const fresh = outcome.traits.filter((trait) => !seen.has(trait));
    for (const trait of fresh) seen.add(trait);
    if (fresh.length > 0) source.keep(input);
    const { broken } = outcome;
    if (broken === undefined || failures.filter(({ law }) => law === broken.law).length >= mostOfOneLaw) continue;
    const shortest = await minimise({ input, broken }, checkInput);
    failures.push({ ...shortest.input, ...shortest.broken, original: input.text });
  }
  return { done, failures, traits: seen.size };
}
