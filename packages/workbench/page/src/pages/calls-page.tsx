import { useMemo, useState } from 'react';
import type { ApprovalView, CallDetails, CallList } from '../../../src/contract/page-data.ts';
import { mayWaitToAsk } from '../approvals/may-wait-to-ask.ts';
import { durationText, tookText } from '../data/duration.ts';
import { send } from '../data/request.ts';
import { useData } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { CallResult } from '../parts/call-result.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Hint } from '../parts/hint.tsx';
import { Problem } from '../parts/problem.tsx';
import { RunLink } from '../parts/record-links.tsx';
import { SourceLink } from '../parts/source-link.tsx';
import { Split } from '../parts/split.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { useListKeys } from '../parts/use-list-keys.ts';
import { WaitingNotice } from '../parts/waiting-notice.tsx';

/** The latest calls, and one of them with its arguments and its result. */
export function CallsPage({
  callKey,
  questions,
}: {
  readonly callKey: string;
  /** Questions that wait for an answer. */
  readonly questions: readonly ApprovalView[];
}) {
  const { value, problem } = useData<CallList>('calls', 'calls');
  const [filter, setFilter] = useState('');
  const calls = value?.calls;
  const shown = useMemo(() => {
    const wanted = filter.toLowerCase();
    const asking = new Set(questions.map((question) => question.callId));
    return (calls ?? [])
      .map((call) => (call.state === 'running' && asking.has(call.callId) ? { ...call, state: 'asking' } : call))
      .filter((call) => `${call.name} ${call.state} ${call.line}`.toLowerCase().includes(wanted));
  }, [calls, questions, filter]);
  const urls = useMemo(() => shown.map(({ key }) => routeTo('calls', key)), [shown]);
  useListKeys(urls);
  if (value === undefined) return <Problem text={problem} />;
  if (!value.isLogged) {
    return (
      <EmptyState title="Calls are not recorded">
        <p>Create a log, and pass it to the program and to the workbench:</p>
        <CodeBlock
          title="In your program"
          text={[
            'const calls = createCallLog();',
            'const toolkit = await createToolkit({ observer: calls.observer });',
            'const workbench = createWorkbench({ toolkit, calls });',
          ].join('\n')}
        />
      </EmptyState>
    );
  }
  if (value.calls.length === 0) {
    return (
      <EmptyState title="No calls yet">
        <p>
          Calls of models, programs and MCP clients appear here as they run. You can make one yourself: select a tool on
          the page <a href={routeTo('tools')}>Tools</a>.
        </p>
      </EmptyState>
    );
  }
  const list = (
    <>
      <div className="list-head">
        <input
          type="search"
          value={filter}
          placeholder="Filter calls"
          aria-label="Filter calls"
          onChange={(event) => setFilter(event.target.value)}
        />
        <p className="quiet">
          {shown.length} of the latest {value.calls.length} calls
        </p>
      </div>
      <ul className="list">
        {shown.map((call) => (
          <li key={call.key}>
            <a href={routeTo('calls', call.key)} aria-current={call.key === callKey ? 'true' : undefined}>
              <span className="row">
                <strong>{visible(call.name)}</strong>
                <StateChip state={call.state} />
              </span>
              <span className="quiet line">
                {mayWaitToAsk(call, questions) ? 'may wait to ask, behind another question' : visible(call.line)}
              </span>
              <span className="row quiet">
                <time dateTime={new Date(call.startedAt).toISOString()}>
                  {new Date(call.startedAt).toLocaleTimeString()}
                </time>
                {call.durationMs !== undefined && <span>{durationText(call.durationMs)}</span>}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
  const detail =
    callKey === '' ? (
      <Hint>Select a call to see its arguments, its result, and how its arguments were read.</Hint>
    ) : (
      <Call key={callKey} callKey={callKey} questions={questions} />
    );
  return <Split list={list} detail={detail} isOpen={callKey !== ''} back={routeTo('calls')} />;
}

/** URLs have a limited length. */
const maxRepeated = 8_000;

function Call({ callKey, questions }: { readonly callKey: string; readonly questions: readonly ApprovalView[] }) {
  const { value: call, problem } = useData<CallDetails>(`calls/${encodeURIComponent(callKey)}`, 'calls');
  const [refusal, setRefusal] = useState('');
  if (call === undefined) return <Problem text={problem} />;
  const isAsking = call.state === 'running' && questions.some(({ callId }) => callId === call.callId);
  const cancel = (): void => {
    setRefusal('');
    send(`cancel/${encodeURIComponent(call.callId)}`, {}).catch((error: unknown) =>
      setRefusal(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <article className="wide">
      <h2>
        {visible(call.name)} <StateChip state={isAsking ? 'asking' : call.state} />
      </h2>
      <dl className="facts">
        <dt>Call</dt>
        <dd>
          {visible(call.callId)} <CopyButton text={call.callId} label="Copy ID" />
        </dd>
        <dt>Started</dt>
        <dd>{new Date(call.startedAt).toLocaleString()}</dd>
        {call.durationMs !== undefined && (
          <>
            <dt>Took</dt>
            <dd>{tookText(call)}</dd>
          </>
        )}
        <dt>Session</dt>
        <dd>{call.sessionId === '' ? 'none' : visible(call.sessionId)}</dd>
        <dt>Tool</dt>
        <dd>
          <a href={routeTo('tools', call.name)}>{visible(call.name)}</a>
        </dd>
        {call.source !== undefined && (
          <>
            <dt>Source</dt>
            <dd>
              <SourceLink source={call.source} />
            </dd>
          </>
        )}
        {call.parentCallId !== undefined && (
          <>
            <dt>Made by call</dt>
            <dd>{visible(call.parentCallId)}</dd>
          </>
        )}
      </dl>
      <p className="row wrap">
        {call.changeId !== undefined && (
          <a className="choice" href={routeTo('changes', call.changeId)}>
            See what it changed, and undo it
          </a>
        )}
        <a className="choice" href={routeTo('tools', call.name, { arguments: call.arguments.slice(0, maxRepeated) })}>
          Call again…
        </a>
        <RunLink runId={call.runId} />
      </p>
      {call.state === 'running' && (
        <p className="notice">
          {isAsking || mayWaitToAsk(call, questions) ? (
            <WaitingNotice callId={call.callId} sessionId={call.sessionId} questions={questions} />
          ) : call.line === '' ? (
            'The call is running.'
          ) : (
            visible(call.line)
          )}{' '}
          {call.isOwn && (
            <button type="button" className="small" onClick={cancel}>
              Cancel
            </button>
          )}
        </p>
      )}
      {refusal !== '' && <Problem text={refusal} />}
      <CodeBlock title="Arguments (secrets are masked)" text={call.arguments} />
      <CallResult call={call} />
    </article>
  );
}
