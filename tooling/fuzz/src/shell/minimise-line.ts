import { findUnjudged } from './judge-line.ts';
import { runInBash } from './run-in-bash.ts';

const maxRounds = 30;

/** Removes chunks of a line, large ones first, as long as Bash still runs a program that was not judged. */
export async function minimiseLine(line: string): Promise<string> {
  let best = line;
  let rounds = 0;
  for (let size = Math.ceil(line.length / 2); size >= 1 && rounds < maxRounds; rounds += 1) {
    const starts = Array.from({ length: Math.ceil(best.length / size) }, (_, index) => index * size);
    const shorter = starts.map((at) => best.slice(0, at) + best.slice(at + size)).filter((text) => text !== '');
    const ran = await runInBash(shorter);
    let found: string | undefined;
    for (const [index, text] of shorter.entries())
      if (found === undefined && (await findUnjudged(text, ran[index] ?? [])) !== undefined) found = text;
    if (found === undefined) size = size === 1 ? 0 : Math.ceil(size / 2);
    else best = found;
  }
  return best;
}
