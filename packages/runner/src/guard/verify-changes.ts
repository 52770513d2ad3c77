import { type ToolResult } from '@haft/core';
import { describeCause, fileEffects } from '@haft/core/results';
import { untilAborted } from '../abortable.ts';
import { numberKind, stringKind, millisecondsKind, checkOptions, type OptionTable } from '@haft/core/options';
import type { Guardrail } from './guardrail.ts';

/** Result of a verifier. */
export interface Verification {
  readonly ok: boolean;
  /** Shown only if the check failed. */
  readonly output?: string;
}

/** Checks changed files with a compiler, a linter or tests. */
export interface Verifier {
  readonly name: string;
  /** Selects the changes to verify; default: all. */
  readonly matches?: (path: string) => boolean;
  /** Verifies the files that a call changed. End your processes when the signal aborts. */
  run(paths: readonly string[], signal: AbortSignal): Promise<Verification>;
}

/** Options of {@link verifyChanges}. */
export interface VerifyOptions {
  /** Milliseconds for each verifier; default 30,000. Their sum must fit the dispatcher's `middlewareTimeoutMs`. */
  readonly timeoutMs?: number;
  /** Lines of output for the model, from the start and the end; default 80. */
  readonly maxLines?: number;
  readonly name?: string;
}

const table: OptionTable<VerifyOptions> = {
  timeoutMs: millisecondsKind,
  maxLines: numberKind({ min: 1 }),
  name: stringKind,
};

/**
 * Runs verifiers after calls whose effects report changed files, and gives the model their output. It only advises,
 * because the change has already been made.
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
        if (!ok) found.push(`${verifier.name} failed:\n${cutLines(output.trimEnd(), maxLines)}`);
      }
      return found.length === 0 ? undefined : { advise: found.join('\n') };
    },
  };
}

/** Returns the files that a call changed, according to its effects. */
export function changedFiles(result: ToolResult): readonly string[] {
  return [...new Set(fileEffects(result).flatMap(({ op, path }) => (op === 'read' ? [] : [path])))];
}

/** Runs a verifier with a timeout. A verifier that throws fails the check. */
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
    return { ok: false, output: `it failed to run: ${describeCause(cause)}` };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Keeps lines from the start and the end of a text. */
export function cutLines(text: string, max: number): string {
  const lines = text.split('\n');
  if (lines.length <= max) return text;
  const head = Math.ceil(max / 2);
  const left = lines.length - max;
  return [...lines.slice(0, head), `[… ${left} lines left out]`, ...lines.slice(head + left)].join('\n');
}
