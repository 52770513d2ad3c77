import type { Broken, FuzzInput, Outcome } from './inputs/input.ts';

const maxChecks = 1_500;
const maxMs = 10_000;

/** An input, and the law that it breaks. */
export interface Breaking {
  readonly input: FuzzInput;
  readonly broken: Broken;
}

/** Removes chunks of an input's text, large ones first, as long as the same law stays broken. */
export async function minimise(
  found: Breaking,
  check: (input: FuzzInput) => Outcome | Promise<Outcome>,
): Promise<Breaking> {
  let best = found;
  let checks = 0;
  const start = performance.now();
  const mayGoOn = (): boolean => checks < maxChecks && performance.now() - start < maxMs;
  for (let size = Math.ceil(found.input.text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.input.text.length && mayGoOn(); checks += 1) {
      const { text } = best.input;
      const input = { ...best.input, text: text.slice(0, at) + text.slice(at + size) };
      const { broken } = input.text === '' ? {} : await check(input);
      if (broken?.law === found.broken.law) best = { input, broken };
      else at += size;
    }
  }
  return best;
}
