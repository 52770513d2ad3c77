import type { Broken, FuzzInput, Outcome } from './inputs/input.ts';
import { checkCalls } from './laws/calls-laws.ts';
import { breaksGrowth } from './laws/growth-law.ts';
import { checkJson } from './laws/json-laws.ts';
import { addedToPrototypes } from './laws/plain-data.ts';

const checks = { json: checkJson, calls: checkCalls } as const;

/** Returns whether to check the expensive laws too, given an input and its coverage. */
export type MayBeDear = (input: FuzzInput, traits: readonly string[]) => boolean;

type TextInput = FuzzInput & { readonly target: 'json' | 'calls' };

/** Reads an input and returns the law that it breaks, with all laws checked. A thrown error counts as broken. */
export async function checkInput(input: FuzzInput): Promise<Outcome> {
  if (input.target !== 'growth') return checkText({ ...input, target: input.target }, () => true);
  const broken = await breaksGrowth(input).catch(whatWasThrown);
  return { traits: [], ...(broken === undefined ? {} : { broken }) };
}

/** Does the same for a text that is read unchanged, but checks only the requested expensive laws. */
export function checkText(input: TextInput, isDear: MayBeDear): Outcome {
  try {
    const start = performance.now();
    const { traits, broken: first } = askLaws(input, isDear);
    const broken = first ?? slowness(input, isDear, performance.now() - start);
    return broken === undefined ? { traits } : { traits, broken };
  } catch (error) {
    return { traits: [], broken: whatWasThrown(error) };
  }
}

function askLaws(input: TextInput, isDear: MayBeDear): Outcome {
  const { traits, broken, dear } = checks[input.target](input);
  const asksAll = isDear(input, traits);
  const first = broken ?? (asksAll ? dear() : undefined) ?? addition(asksAll);
  return first === undefined ? { traits } : { traits, broken: first };
}

function whatWasThrown(error: unknown): Broken {
  const detail = error instanceof Error ? `${error.message} ${error.stack?.split('\n')[1] ?? ''}` : String(error);
  return { law: 'nothing is thrown', detail };
}

function addition(isThorough: boolean): Broken | undefined {
  const added = addedToPrototypes(isThorough);
  return added === '' ? undefined : { law: 'no prototype is changed', detail: added };
}

/** Time limit for one text: about a hundred times as long as checking all laws takes. */
const allowedMs = (length: number): number => 30 + length * 0.2;

/** A text counts as slow only if it is slow twice, because the first delay may be noise. */
function slowness(input: TextInput, isDear: MayBeDear, elapsed: number): Broken | undefined {
  const allowed = allowedMs(input.text.length);
  let best = elapsed;
  for (let again = 0; again < 4 && best > allowed; again += 1) {
    // Without the threads that collect garbage and compile.
    const start = process.threadCpuUsage();
    askLaws(input, isDear);
    const { user, system } = process.threadCpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best > allowed
    ? { law: 'no text takes long', detail: `${best.toFixed(0)} ms for ${input.text.length}` }
    : undefined;
}
