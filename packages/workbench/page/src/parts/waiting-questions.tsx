import type { ApprovalView } from '../../../src/contract/page-data.ts';
import { routeTo } from '../data/use-route.ts';

/** Leads from an empty page to questions that hold up the start of the program. */
export function WaitingQuestions({ questions }: { readonly questions: readonly ApprovalView[] }) {
  if (questions.length === 0)
    return <p>A program that has just started may still connect its servers. They appear here by themselves.</p>;
  return (
    <p>
      <a href={routeTo('approvals')}>
        {questions.length === 1 ? 'A question waits' : `${questions.length} questions wait`} for your answer.
      </a>{' '}
      An MCP server starts, and its tools appear, when you allow it.
    </p>
  );
}
