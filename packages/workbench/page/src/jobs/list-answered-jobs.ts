/** A question of a job that this tab has answered. */
export interface AnsweredJob {
  readonly job: string;
  readonly title: string;
  readonly isAllowed: boolean;
}

const maxAnswered = 5;

/** The latest answers of this tab, newest first. They stay when another page is shown. */
let answered: readonly AnsweredJob[] = [];

/** Returns the latest answers, newest first. */
export function listAnsweredJobs(): readonly AnsweredJob[] {
  return answered;
}

/** Adds an answer. */
export function addAnsweredJob(job: AnsweredJob): void {
  answered = [job, ...answered].slice(0, maxAnswered);
}
