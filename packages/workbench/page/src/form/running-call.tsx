import { useState } from 'react';
import type { ApprovalList, CallList } from '../../../src/contract/page-data.ts';
import { send } from '../data/request.ts';
import { useData } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../parts/code-block.tsx';

/** The progress of a running call, and a button that cancels it. */
export function RunningCall({ id }: { readonly id: string }) {
  const { value: calls } = useData<CallList>('calls', 'calls');
  const { value: approvals } = useData<ApprovalList>('approvals', 'approvals');
  const [problem, setProblem] = useState('');
  const call = calls?.calls.find((one) => one.callId === id);
  const isAsking = call === undefined && (approvals?.questions.length ?? 0) > 0;
  const cancel = (): void => {
    send(`cancel/${encodeURIComponent(id)}`, {}).catch((error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <>
      <button type="button" className="danger" onClick={cancel}>
        Cancel
      </button>
      <span className="quiet" role="status">
        {problem !== '' && problem}
        {call !== undefined && visible(call.line)}
        {isAsking && (
          <>
            The call waits for an answer. <a href={routeTo('approvals')}>Answer it</a>
          </>
        )}
      </span>
    </>
  );
}
