/** One thing that is wrong: where it is, what it is, and what to do about it. Reads as a sentence. */
export interface Problem {
  /** A path from the root of the repository, with a line where there is one. */
  readonly where: string;
  readonly what: string;
  readonly remedy: string;
}

/** Puts problems into the words a failing test shows: one line each. */
export function describeProblems(problems: readonly Problem[]): string {
  return problems.map(({ where, what, remedy }) => `- ${where}: ${what}. ${remedy}.`).join('\n');
}

/** Ends a test with the list of problems as its message, or lets it pass when there are none. */
export function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const error = new Error(`${count}:\n${describeProblems(problems)}`);
  error.stack = error.message;
  throw error;
}
