import { generateLine } from './generate-line.ts';
import { findUnjudged, judgeLine } from './judge-line.ts';
import { minimiseLine } from './minimise-line.ts';
import { runInBash } from './run-in-bash.ts';

/** What to fuzz. */
export interface ShellFuzzRequest {
  /** Number of the first line; each line is made from its own number. */
  readonly seed: number;
  readonly count: number;
  /** Failures after which it ends. */
  readonly maxFailures: number;
}

/** A line in which Bash runs something that was not judged. */
export interface ShellFailure {
  readonly seed: number;
  readonly line: string;
  readonly minimised: string;
  /** The words of the program that ran unjudged. */
  readonly unjudged: readonly string[];
}

/** What came out. */
export interface ShellFuzzResult {
  readonly lines: number;
  /** Lines in which Bash ran a program. */
  readonly running: number;
  /** Lines among these that no person is asked about. */
  readonly allowed: number;
  readonly failures: readonly ShellFailure[];
}

const batchSize = 500;

/** Runs generated lines with Bash, and holds what ran against what was judged. */
export async function runShellFuzz(
  { seed, count, maxFailures }: ShellFuzzRequest,
  onProgress: (result: ShellFuzzResult) => void = () => {},
): Promise<ShellFuzzResult> {
  let result: ShellFuzzResult = { lines: 0, running: 0, allowed: 0, failures: [] };
  const generate = (from: number): readonly string[] =>
    Array.from({ length: Math.min(batchSize, Math.max(0, count - from)) }, (_, index) =>
      generateLine(seed + from + index),
    );
  // While one batch is judged, the next one runs.
  let lines = generate(0);
  let ahead = runInBash(lines);
  while (lines.length > 0 && result.failures.length < maxFailures) {
    const ran = await ahead;
    const next = generate(result.lines + lines.length);
    ahead = next.length === 0 ? ahead : runInBash(next);
    const failures = [...result.failures];
    let { running, allowed } = result;
    for (const [index, line] of lines.entries()) {
      const programs = ran[index] ?? [];
      if (programs.length === 0) continue;
      running += 1;
      if ((await judgeLine(line)) !== 'allowed') continue;
      allowed += 1;
      const unjudged = await findUnjudged(line, programs);
      if (unjudged === undefined || failures.length >= maxFailures) continue;
      failures.push({ seed: seed + result.lines + index, line, minimised: await minimiseLine(line), unjudged });
    }
    result = { lines: result.lines + lines.length, running, allowed, failures };
    lines = next;
    onProgress(result);
  }
  await ahead;
  return result;
}
