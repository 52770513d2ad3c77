import { setImmediate } from 'node:timers/promises';

import { checkInput, checkText } from './check-input.ts';
import type { MayBeDear } from './check-input.ts';
import { createSource } from './inputs/create-source.ts';
import type { Failure, FuzzInput } from './inputs/input.ts';
import { minimise } from './minimise.ts';

/** Duration and start of a run. */
export interface FuzzOptions {
  readonly seed: string;
  /** Number of inputs to read. */
  readonly count: number;
  /** Called before a text is read, so that a text on which reading hangs is known. */
  readonly onInput?: (input: FuzzInput) => void;
  /** Called with each failure once it is minimised. */
  readonly onFailure?: (failure: Failure) => void;
  /** Called regularly with the progress. Returns whether to continue. */
  readonly onProgress?: (report: FuzzReport) => boolean;
}

/** The results. */
export interface FuzzReport {
  readonly done: number;
  /** Number of texts for which all laws were checked, including the expensive ones. */
  readonly full: number;
  /** Number of distinct features seen. */
  readonly traits: number;
  readonly failures: readonly Failure[];
}

/** Maximum number of failures kept per law. Further failures would show nothing new. */
const maxPerLaw = 3;
const between = 256;

/** All laws are checked for every n-th text, and for every text with a new feature. */
const sampledOf = 8;

// Not derived from the salt, whose remainders determine other choices.
const isSampled = (salt: number): boolean => (Math.imul(salt, 0x9e3779b1) >>> 8) % sampledOf === 0;

/** Reads generated inputs and collects those that break a law, each minimised. */
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
      // Yields between texts, because a request to stop can only arrive then.
      await setImmediate();
      if (onProgress?.(report()) === false) break;
    }
    const input = source.next();
    onInput?.(input);
    // Awaited only if it is a promise, because millions of turns of the event loop would take longer than reading.
    const outcome =
      input.target === 'growth' ? await checkInput(input) : checkText({ ...input, target: input.target }, isDear);
    const fresh = outcome.traits.filter((trait) => !seen.has(trait));
    for (const trait of fresh) seen.add(trait);
    if (fresh.length > 0) source.keep(input);
    const { broken } = outcome;
    if (broken === undefined || failures.filter(({ law }) => law === broken.law).length >= maxPerLaw) continue;
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
