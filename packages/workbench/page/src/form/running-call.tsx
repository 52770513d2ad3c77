import { useState } from 'react';
import { ownSession, type ApprovalList, type CallList } from '../../../src/contract/page-data.ts';
import { send } from '../data/request.ts';
import { useData } from '../data/use-data.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { WaitingNotice } from '../parts/waiting-notice.tsx';

/** The progress of a running call, its question if it waits for an answer, and a button that cancels it. */
export function RunningCall({ id }: { readonly id: string }) {
  const { value: calls } = useData<CallList>('calls', 'calls');
  const { value: approvals } = useData<ApprovalList>('approvals', 'approvals');
  const [problem, setProblem] = useState('');
  const progress = calls?.calls.find((one) => one.callId === id)?.line ?? '';
  const questions = approvals?.questions ?? [];
  const own = questions.find((one) => one.callId === id);
  const post = (path: string, body: object): void => {
    setProblem('');
    send(path, body).catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  };
  const answer = (given: object) => () => post(`approvals/${encodeURIComponent(own?.id ?? '')}`, given);
  return (
    <>
      <div className="row wrap">
        {own !== undefined && (
          <>
            <button type="button" className="main" onClick={answer({ action: 'allow', scope: 'once' })}>
              Allow once
            </button>
            <button type="button" className="danger" onClick={answer({ action: 'deny', reason: '' })}>
              Deny
            </button>
          </>
        )}
        <button type="button" className="danger" onClick={() => post(`cancel/${encodeURIComponent(id)}`, {})}>
          Cancel
        </button>
        <span className="quiet" role="status">
          {problem}
          {visible(progress)}
          {progress === '' && <WaitingNotice callId={id} sessionId={ownSession} questions={questions} />}
        </span>
      </div>
      {own !== undefined && <CodeBlock title="Exact arguments that wait for your answer" text={own.arguments} />}
    </>
  );
}
