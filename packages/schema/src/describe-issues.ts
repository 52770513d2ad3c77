import type { Issue } from './issue.ts';

/**
 * The text a model reads after a refused call: one line an issue with path, what was expected, what was received and,
 * where one is known, a valid example. Nothing else: no class names, no echo of the arguments.
 */
export function describeIssues(issues: readonly Issue[]): string {
  return issues.map(describeIssue).join('\n');
}

function describeIssue({ path, code, expected, received, example }: Issue): string {
  const line = `${path}: expected ${expected}, received ${received}`;
  // An example that only repeats what was expected teaches nothing.
  const isRepeated = example === undefined || code === 'const' || example === expected;
  return isRepeated ? `${line}.` : `${line}. Example: ${example}`;
}
