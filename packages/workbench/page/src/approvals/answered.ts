import type { ApprovalView } from '../../../src/contract/page-data.ts';

/** A question that this tab has answered. */
export interface AnsweredQuestion {
  readonly question: ApprovalView;
  readonly isAllowed: boolean;
}

const maxAnswered = 5;

/** The latest answers of this tab, newest first, for the way back from a question to its call. */
let answered: readonly AnsweredQuestion[] = [];

/** Returns the latest answers, newest first. */
export function listAnswered(): readonly AnsweredQuestion[] {
  return answered;
}

/** Adds an answer. */
export function addAnswered(question: ApprovalView, isAllowed: boolean): void {
  answered = [{ question, isAllowed }, ...answered].slice(0, maxAnswered);
}
