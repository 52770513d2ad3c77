/** A problem: its place, its description and its remedy. Reads as a sentence. */
export interface Problem {
  /** A path from the root of the repository, with the line if known. */
  readonly where: string;
  readonly what: string;
  readonly remedy: string;
}

/** Formats problems for a failing test, one line each. */
export function describeProblems(problems: readonly Problem[]): string {
  return problems.map(({ where, what, remedy }) => `- ${where}: ${what}. ${remedy}.`).join('\n');
}

/** Fails a test with the list of problems as its message. Does nothing if the list is empty. */
export function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const error = new Error(`${count}:\n${describeProblems(problems)}`);
  error.stack = error.message;
  throw error;
}
