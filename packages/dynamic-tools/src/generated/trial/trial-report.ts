import type { TypeCheck } from './check-draft-types.ts';
import type { ExampleOutcome } from './run-examples.ts';

/** A fault that the author of a tool must correct. */
export interface TrialFault {
  /** The path in the arguments of `new_tool`: `$.body`, `$.tests[0]`. */
  readonly path: string;
  readonly message: string;
}

/** Result of a tool's trial, before it becomes callable. */
export interface TrialReport {
  readonly passed: boolean;
  readonly types: TypeCheck;
  readonly examples: readonly ExampleOutcome[];
  readonly faults: readonly TrialFault[];
}

/** Formats faults, one per line. */
export function describeFaults(faults: readonly TrialFault[]): string {
  return faults.map(({ path, message }) => `${path}: ${message}`).join('\n');
}
