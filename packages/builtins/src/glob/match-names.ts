import type { PatternRunner } from '../search/pattern-runner.ts';
import type { CompiledGlob } from './compile-glob.ts';

/** Says for each path whether it matches; a pattern that could take long runs in a thread of its own. */
export async function matchNames(
  glob: CompiledGlob,
  names: readonly string[],
  runner: PatternRunner,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<readonly boolean[]> {
  if (names.length === 0) return [];
  if (glob.isCheap) {
    const pattern = new RegExp(glob.source, glob.flags);
    return names.map((name) => pattern.test(name));
  }
  const answer = await runner.run({ kind: 'names', source: glob.source, flags: glob.flags, names }, timeoutMs, signal);
  return answer.kind === 'names' ? answer.matches : [];
}
