import { type ToolResult } from '@haft/core';
import { describeCause, fileEffects } from '@haft/core/results';
import { untilAborted } from '../abortable.ts';
import { aNumber, aString, milliseconds, checkOptions, type OptionTable } from '@haft/core/options';
import type { Guardrail } from './guardrail.ts';

/** What a verifier found. */
export interface Verification {
  readonly ok: boolean;
  /** What it has to say; only shown when it is not ok. */
  readonly output?: string;
}

/** Looks whether changed files are still right: a compiler, a linter, tests. */
export interface Verifier {
  readonly name: string;
  /** Which changes it is for; default: all. */
  readonly matches?: (path: string) => boolean;
  /** Runs it for the files that a call changed. A process of yours ends with the signal. */
  run(paths: readonly string[], signal: AbortSignal): Promise<Verification>;
}

/** How verifiers are run. */
export interface VerifyOptions {
  /** Milliseconds for each; default 30,000. All of them together have to fit the dispatcher's `middlewareTimeoutMs`. */
  readonly timeoutMs?: number;
  /** Lines of output that reach the model, from the beginning and the end; default 80. */
  readonly maxLines?: number;
  readonly name?: string;
}

const table: OptionTable<VerifyOptions> = { timeoutMs: milliseconds, maxLines: aNumber({ min: 1 }), name: aString };

/**
 * Runs verifiers after calls that changed files, told by their effects, and lets the model know what they found. It only
 * advises: the change was made.
 */
export function verifyChanges(verifiers: readonly Verifier[], options: VerifyOptions = {}): Guardrail {
  checkOptions('verifyChanges', options, table, '{ timeoutMs: 30_000 }');
  const { timeoutMs = 30_000, maxLines = 80, name = 'verify' } = options;
  return {
    name,
    kind: 'verification',
    async after({ context }, result) {
      const changed = changedFiles(result);
      if (changed.length === 0) return undefined;
      const found: string[] = [];
      for (const verifier of verifiers) {
        const paths = changed.filter((path) => verifier.matches?.(path) ?? true);
        if (paths.length === 0 || context.signal?.aborted) continue;
        const { ok, output = '' } = await runVerifier(verifier, paths, context.signal, timeoutMs);
        if (!ok) found.push(`${verifier.name} is not content:\n${cutLines(output.trimEnd(), maxLines)}`);
      }
      return found.length === 0 ? undefined : { advise: found.join('\n') };
    },
  };
}

/** The files that a call changed, by its effects. */
export function changedFiles(result: ToolResult): readonly string[] {
  return [...new Set(fileEffects(result).flatMap(({ op, path }) => (op === 'read' ? [] : [path])))];
}

/** Runs one, for so long; one that fails itself is not content. */
export async function runVerifier(
  verifier: Verifier,
  paths: readonly string[],
  signal: AbortSignal | undefined,
  timeoutMs: number,
): Promise<Verification> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(new Error(`it took more than ${timeoutMs} ms`)), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await untilAborted(controller.signal, verifier.run(paths, controller.signal));
  } catch (cause) {
    return { ok: false, output: `it could not be run to its end: ${describeCause(cause)}` };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** So many lines of a text, from its beginning and its end. */
export function cutLines(text: string, max: number): string {
  const lines = text.split('\n');
  if (lines.length <= max) return text;
  const head = Math.ceil(max / 2);
  const left = lines.length - max;
  return [...lines.slice(0, head), `[… ${left} lines left out]`, ...lines.slice(head + left)].join('\n');
}
