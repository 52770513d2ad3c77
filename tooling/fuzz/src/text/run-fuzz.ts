import { setImmediate } from 'node:timers/promises';

import { checkInput, checkText } from './check-input.ts';
import type { MayBeDear } from './check-input.ts';
import { createSource } from './inputs/create-source.ts';
import type { Failure, FuzzInput } from './inputs/input.ts';
import { minimise } from './minimise.ts';

/** How long and from where to fuzz. */
export interface FuzzOptions {
  readonly seed: string;
  /** Inputs to read. */
  readonly count: number;
  /** Told before a text is read, so that one on which reading never comes back is known. */
  readonly onInput?: (input: FuzzInput) => void;
  /** Told of each failure as soon as it is as short as it can be made. */
  readonly onFailure?: (failure: Failure) => void;
  /** Told now and then how far it is; answers whether to go on. */
  readonly onProgress?: (report: FuzzReport) => boolean;
}

/** What came of it. */
export interface FuzzReport {
  readonly done: number;
  /** Of how many texts all laws were asked, those among them that take long to check. */
  readonly full: number;
  /** In how many different ways texts were read. */
  readonly traits: number;
  readonly failures: readonly Failure[];
}

/** Of one law so many failures are kept: more of them say nothing new. */
const mostOfOneLaw = 3;
const between = 256;

/** One text in so many is asked all laws; besides, every text that is read in a way no other was. */
const sampledOf = 8;

// The salt decides much else, so that its remainders are taken already.
const isSampled = (salt: number): boolean => (Math.imul(salt, 0x9e3779b1) >>> 8) % sampledOf === 0;

/** Reads made-up inputs and collects those that break a law, each as short as it can be made. */
export async function runFuzz({ seed, count, onInput, onFailure, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const source = createSource(seed);
  const seen = new Set<string>();
  const failures: Failure[] = [];
  let full = 0;
  const isDear: MayBeDear = ({ salt }, traits) => {
    const asksAll = isSampled(salt) || traits.some((trait) => !seen.has(trait));
    if (asksAll) full += 1;
    return asksAll;
  };
  let done = 0;
  const report = (): FuzzReport => ({ done, full, traits: seen.size, failures });
  for (; done < count; done += 1) {
    if (done % between === 0) {
      // Whoever wants this to end can say so only while nothing is read.
      await setImmediate();
      if (onProgress?.(report()) === false) break;
    }
    const input = source.next();
    onInput?.(input);
    // Not awaited where nothing has to be: millions of turns of the loop would take longer than reading.
    const outcome =
      input.target === 'growth' ? await checkInput(input) : checkText({ ...input, target: input.target }, isDear);
    const fresh = outcome.traits.filter((trait) => !seen.has(trait));
    for (const trait of fresh) seen.add(trait);
    if (fresh.length > 0) source.keep(input);
    const { broken } = outcome;
    if (broken === undefined || failures.filter(({ law }) => law === broken.law).length >= mostOfOneLaw) continue;
    const shortest = await minimise({ input, broken }, (changed) => {
      onInput?.(changed);
      return checkInput(changed);
    });
    const failure = { ...shortest.input, ...shortest.broken, original: input.text };
    failures.push(failure);
    onFailure?.(failure);
  }
  return report();
}
