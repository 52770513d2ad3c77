import { generateLine } from './generate-line.ts';
import { findUnjudged, judgeLine } from './judge-line.ts';
import { minimiseLine } from './minimise-line.ts';
import { runInBash } from './run-in-bash.ts';

/** Options of the fuzzer. */
export interface ShellFuzzRequest {
  /** Number of the first line. Each line is generated from its own number. */
  readonly seed: number;
  readonly count: number;
  /** Number of failures after which the run ends. */
  readonly maxFailures: number;
}

/** A line in which Bash ran a program that was not judged. */
export interface ShellFailure {
  readonly seed: number;
  readonly line: string;
  readonly minimised: string;
  /** The words of the unjudged program. */
  readonly unjudged: readonly string[];
}

/** The results. */
export interface ShellFuzzResult {
  readonly lines: number;
  /** Number of lines in which Bash ran a program. */
  readonly running: number;
  /** Number of these lines that cause no question to the user. */
  readonly allowed: number;
  readonly failures: readonly ShellFailure[];
}

const batchSize = 500;

/** Runs generated lines with Bash, and compares the programs that ran with those that were judged. */
export async function runShellFuzz(
  { seed, count, maxFailures }: ShellFuzzRequest,
  onProgress: (result: ShellFuzzResult) => void = () => {},
): Promise<ShellFuzzResult> {
  let result: ShellFuzzResult = { lines: 0, running: 0, allowed: 0, failures: [] };
  const generate = (from: number): readonly string[] =>
    Array.from({ length: Math.min(batchSize, Math.max(0, count - from)) }, (_, index) =>
      generateLine(seed + from + index),
    );
  // The next batch runs while one batch is judged.
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
