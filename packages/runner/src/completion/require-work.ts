import {
  functionKind,
  integerKind,
  arrayOf,
  checkOptions,
  millisecondsKind,
  objectWith,
  type OptionTable,
} from '@haft/core/options';
import type { CompletedCall } from '../contracts/agent-result.ts';
import { changedFiles, cutLines, runVerifier, type Verifier } from '../guard/verify-changes.ts';
import type { CompletionGate } from '../contracts/completion-gate.ts';

/** Defines which calls count as work for {@link requireWork}. */
export interface RequireWorkOptions {
  /**
   * Selects the calls that count as work; one is enough. Default: successful calls with an effect other than reading,
   * such as a written file or a command.
   */
  readonly isWork?: (call: CompletedCall) => boolean;
  /** Checks that must also pass for the files that the run changed. */
  readonly verifiers?: readonly Verifier[];
  /** Milliseconds for each verifier; default 30,000. */
  readonly timeoutMs?: number;
  /** Number of reminders before the run ends with an error; default 2. */
  readonly maxReminders?: number;
}

const table: OptionTable<RequireWorkOptions> = {
  isWork: functionKind,
  verifiers: arrayOf(
    objectWith<Verifier>('a verifier such as verifyByCommand() returns', 'run'),
    'a list of verifiers',
  ),
  timeoutMs: millisecondsKind,
  maxReminders: integerKind({ min: 0 }),
};
const maxLines = 40;

/**
 * Creates a completion gate that rejects a final answer if the model has done no work or its changes fail verification.
 * The model learns what is missing. Use it for runs that must change something; a question would never pass.
 */
export function requireWork(options: RequireWorkOptions = {}): CompletionGate {
  checkOptions('requireWork', options, table, '{ maxReminders: 2 }');
  const { isWork = hasEffect, verifiers = [], timeoutMs = 30_000, maxReminders = 2 } = options;
  return {
    name: 'require-work',
    maxReminders,
    async check({ calls, signal }) {
      if (!calls.some(isWork)) return describeIdle(calls);
      const changed = [...new Set(calls.flatMap(({ result }) => changedFiles(result)))];
      const found: string[] = [];
      for (const verifier of verifiers) {
        const paths = changed.filter((path) => verifier.matches?.(path) ?? true);
        if (paths.length === 0 || signal?.aborted) continue;
        const { ok, output = '' } = await runVerifier(verifier, paths, signal, timeoutMs);
        if (!ok) found.push(`${verifier.name} failed:\n${cutLines(output.trimEnd(), maxLines)}`);
      }
      return found.length === 0 ? undefined : found.join('\n');
    },
  };
}

function hasEffect({ result }: CompletedCall): boolean {
  return result.ok && result.effects.some((effect) => effect.kind !== 'file' || effect.op !== 'read');
}

function describeIdle(calls: readonly CompletedCall[]): string {
  const failed = calls.filter(({ result }) => !result.ok);
  if (calls.length === 0) return 'no tool was called, so nothing was done';
  if (failed.length === 0) return 'the calls changed nothing';
  const names = [...new Set(failed.map(({ call, result }) => `${call.name} (${result.ok ? '' : result.error.code})`))];
  return `nothing was changed, and these calls failed: ${names.slice(0, 10).join(', ')}`;
}
