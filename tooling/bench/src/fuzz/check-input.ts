import type { Broken, FuzzInput, Outcome } from './input.ts';
import { checkCalls } from './laws/calls-laws.ts';
import { breaksGrowth } from './laws/growth-law.ts';
import { checkJson } from './laws/json-laws.ts';
import { addedToPrototypes } from './laws/plain-data.ts';

const checks = { json: checkJson, calls: checkCalls } as const;

/** Reads an input and says which law that breaks. Anything thrown breaks one. */
export async function checkInput(input: FuzzInput): Promise<Outcome> {
  if (input.target !== 'growth') return checkText({ ...input, target: input.target });
  const broken = await breaksGrowth(input).catch(whatWasThrown);
  return { traits: [], ...(broken === undefined ? {} : { broken }) };
}

/** The same for a text that is read as it is. */
export function checkText(input: FuzzInput & { readonly target: 'json' | 'calls' }): Outcome {
  try {
    const start = performance.now();
    const outcome = checks[input.target](input);
    const broken = outcome.broken ?? addition() ?? slowness(input, performance.now() - start);
    return broken === undefined ? outcome : { ...outcome, broken };
  } catch (error) {
    return { traits: [], broken: whatWasThrown(error) };
  }
}

function whatWasThrown(error: unknown): Broken {
  const detail = error instanceof Error ? `${error.message} ${error.stack?.split('\n')[1] ?? ''}` : String(error);
  return { law: 'nothing is thrown', detail };
}

function addition(): Broken | undefined {
  const added = addedToPrototypes();
  return added === '' ? undefined : { law: 'no prototype is changed', detail: added };
}

/** All laws together read a text a few times over; this is a hundred times as long as that takes. */
const allowedMs = (length: number): number => 30 + length * 0.2;

/** Only what stays slow when it is asked again is slow: the machine may have done something else. */
function slowness(input: FuzzInput & { readonly target: 'json' | 'calls' }, elapsed: number): Broken | undefined {
  const allowed = allowedMs(input.text.length);
  let best = elapsed;
  for (let again = 0; again < 4 && best > allowed; again += 1) {
    const start = performance.now();
    checks[input.target](input);
    best = Math.min(best, performance.now() - start);
  }
  return best > allowed
    ? { law: 'no text takes long', detail: `${best.toFixed(0)} ms for ${input.text.length}` }
    : undefined;
}
