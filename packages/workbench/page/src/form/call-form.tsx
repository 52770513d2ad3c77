import { useMemo, useState } from 'react';
import type { CallDetails, ToolDetails } from '../../../src/contract/page-data.ts';
import { send } from '../data/request.ts';
import { routeTo } from '../data/use-route.ts';
import { CallResult } from '../parts/call-result.tsx';
import { RunningCall } from './running-call.tsx';
import { draftOf, valueOf } from './draft.ts';
import { formOf } from './form-node.ts';
import { GroupFields } from './schema-fields.tsx';

type Result = Partial<CallDetails> & { readonly callId: string; readonly isOk: boolean; readonly ms: number };

/** Calls a tool, with a form made from its schema or with text as a model would write it. */
export function CallForm({ tool, given }: { readonly tool: ToolDetails; readonly given: string }) {
  const form = useMemo(() => formOf(tool.schema), [tool.schema]);
  const [mode, setMode] = useState<'form' | 'text'>(given === '' && form.fields.length > 0 ? 'form' : 'text');
  const [draft, setDraft] = useState(() => draftOf(form, tool.example));
  const [text, setText] = useState(() => (given === '' ? JSON.stringify(tool.example, null, 2) : given));
  /** ID of the running call. */
  const [running, setRunning] = useState('');
  const isRunning = running !== '';
  const [result, setResult] = useState<Result>();
  const [problem, setProblem] = useState('');

  const run = async (): Promise<void> => {
    const id = `workbench_${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
    setRunning(id);
    setProblem('');
    try {
      const args = mode === 'text' ? { text } : { arguments: valueOf(form, draft, true) };
      setResult(await send<Result>('call', { id, name: tool.name, ...args }));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setRunning('');
    }
  };
  return (
    <section className="pane" aria-label="Call">
      <h3>Call</h3>
      <form
        className="call-form"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <div className="row wrap" role="group" aria-label="How to write the arguments">
          <button type="button" className="small" aria-pressed={mode === 'form'} onClick={() => setMode('form')}>
            Form
          </button>
          <button
            type="button"
            className="small"
            aria-pressed={mode === 'text'}
            onClick={() => {
              if (mode === 'form') setText(JSON.stringify(valueOf(form, draft, true), null, 2));
              setMode('text');
            }}
          >
            As a model writes it
          </button>
        </div>
        {mode === 'form' ? (
          <GroupFields node={form} draft={draft} label="" isRequired onChange={setDraft} />
        ) : (
          <label className="field">
            <span>Arguments as text. Broken JSON is repaired or refused, as in a real call.</span>
            <textarea value={text} rows={8} spellCheck={false} onChange={(event) => setText(event.target.value)} />
          </label>
        )}
        <div className="row wrap">
          <button type="submit" className="main" disabled={isRunning}>
            {isRunning ? 'Running…' : result === undefined ? 'Call' : 'Call again'}
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
            {result.isOk ? 'The call succeeded' : 'The call failed'} after {Math.max(1, Math.round(result.ms))} ms.
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
