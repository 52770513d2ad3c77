import type { ApprovalView } from '../../../src/contract/page-data.ts';
import { routeTo } from '../data/use-route.ts';

/**
 * Says that a running call waits for a person, if its question is open. A session asks one question at a time, so a
 * call without a question of its own may wait behind another one.
 */
export function WaitingNotice({
  callId,
  sessionId,
  questions,
}: {
  readonly callId: string;
  readonly sessionId: string;
  readonly questions: readonly ApprovalView[];
}) {
  const first = questions.find((one) => one.sessionId === sessionId);
  if (first === undefined) return null;
  const own = questions.find((one) => one.callId === callId);
  return (
    <>
      {own === undefined
        ? 'Another call of its session waits for an answer. This call may wait behind it.'
        : 'The call waits for an answer.'}{' '}
      <a href={routeTo('approvals', (own ?? first).id)}>See the question</a>
    </>
  );
}
