import type { TypeCheck } from './check-types.ts';
import type { ExampleOutcome } from './run-examples.ts';

/** Something that the author of a tool has to correct. */
export interface TrialFault {
  /** Where in what `new_tool` was given: `$.body`, `$.tests[0]`. */
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

/** Faults as lines. */
export function describeFaults(faults: readonly TrialFault[]): string {
  return faults.map(({ path, message }) => `${path}: ${message}`).join('\n');
}
