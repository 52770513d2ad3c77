import { useMemo } from 'react';
import type { ApprovalList, ToolDetails } from '../../../src/contract/page-data.ts';
import { tookText } from '../data/duration.ts';
import { useData } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { CallResult } from '../parts/call-result.tsx';
import { RunningCall } from './running-call.tsx';
import { useCallEntry } from './call-entries.ts';
import { valueOf } from './draft.ts';
import { formOf } from './form-node.ts';
import { GroupFields } from './schema-fields.tsx';

/** Calls a tool, with a form made from its schema or with text as a model would write it. */
export function CallForm({ tool, given }: { readonly tool: ToolDetails; readonly given: string }) {
  const form = useMemo(() => formOf(tool.schema), [tool.schema]);
  const { entry, change, call } = useCallEntry(tool, form, given);
  const { mode, draft, text, running, result, problem } = entry;
  const isRunning = running !== '';
  const { value: approvals } = useData<ApprovalList>('approvals', 'approvals');
  const isAsking = isRunning && approvals?.questions.some(({ callId }) => callId === running) === true;
  return (
    <section className="pane" aria-label="Call">
      <h3>Call</h3>
      <form
        className="call-form"
        onSubmit={(event) => {
          event.preventDefault();
          void call(mode === 'text' ? { text } : { arguments: valueOf(form, draft, true) });
        }}
      >
        <div className="row wrap" role="group" aria-label="How to write the arguments">
          <button
            type="button"
            className="small"
            aria-pressed={mode === 'form'}
            onClick={() => change({ mode: 'form' })}
          >
            Form
          </button>
          <button
            type="button"
            className="small"
            aria-pressed={mode === 'text'}
            onClick={() => {
              if (mode === 'form') change({ mode: 'text', text: JSON.stringify(valueOf(form, draft, true), null, 2) });
            }}
          >
            As a model writes it
          </button>
        </div>
        {mode === 'form' ? (
          <GroupFields node={form} draft={draft} label="" isRequired onChange={(next) => change({ draft: next })} />
        ) : (
          <label className="field">
            <span>Arguments as text. Broken JSON is repaired or refused, as in a real call.</span>
            <textarea
              value={text}
              rows={8}
              spellCheck={false}
              onChange={(event) => change({ text: event.target.value })}
            />
          </label>
        )}
        <div className="row wrap">
          <button type="submit" className="main" disabled={isRunning}>
            {isAsking ? 'Waiting for an answer' : isRunning ? 'Running…' : result === undefined ? 'Call' : 'Call again'}
          </button>
        </div>
        {isRunning && <RunningCall id={running} />}
      </form>
      {problem !== '' && (
        <p className="notice bad" role="alert">
          {problem}
        </p>
      )}
      {result !== undefined && (
        <div className="call-outcome" aria-live="polite">
          <p className={`notice ${result.isOk ? 'good' : 'bad'}`}>
            {result.isOk ? 'The call succeeded' : 'The call failed'}. It took {tookText(result)}.
          </p>
          {result.changeId !== undefined && (
            <p>
              <a className="choice" href={routeTo('changes', result.changeId)}>
                See what it changed, and undo it
              </a>
            </p>
          )}
          <CallResult call={result} />
        </div>
      )}
    </section>
  );
}
