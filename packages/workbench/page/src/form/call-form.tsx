import { useState } from 'react';
import type { CallDetails, ToolDetails } from '../../../src/contract/page-data.ts';
import { send } from '../data/request.ts';
import { CallResult } from '../parts/call-result.tsx';
import { RunningCall } from './running-call.tsx';
import { SchemaFields } from './schema-fields.tsx';
import { argumentsOf, fieldsOf, type FieldValues } from './fields-of.ts';

type Result = Partial<CallDetails> & { readonly callId: string; readonly isOk: boolean; readonly ms: number };

/** Calls a tool, with a form made from its schema or with text as a model would write it. */
export function CallForm({ tool }: { readonly tool: ToolDetails }) {
  const fields = fieldsOf(tool.schema, tool.example);
  const [mode, setMode] = useState<'form' | 'text'>(fields.length > 0 ? 'form' : 'text');
  const [values, setValues] = useState<FieldValues>(() =>
    Object.fromEntries(fields.map(({ name, initial }) => [name, initial])),
  );
  const [text, setText] = useState(() => JSON.stringify(tool.example, null, 2));
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
      const given = mode === 'text' ? { text } : { arguments: argumentsOf(fields, values) };
      setResult(await send<Result>('call', { id, name: tool.name, ...given }));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setRunning('');
    }
  };
  return (
    <section>
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
          <button type="button" className="small" aria-pressed={mode === 'text'} onClick={() => setMode('text')}>
            As a model writes it
          </button>
        </div>
        {mode === 'form' ? (
          <SchemaFields
            fields={fields}
            values={values}
            onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
          />
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
          {isRunning && <RunningCall id={running} />}
        </div>
      </form>
      {problem !== '' && (
        <p className="notice bad" role="alert">
          {problem}
        </p>
      )}
      {result !== undefined && (
        <div aria-live="polite">
          <p className={`notice ${result.isOk ? 'good' : 'bad'}`}>
            {result.isOk ? 'The call succeeded' : 'The call failed'} after {Math.max(1, Math.round(result.ms))} ms.
          </p>
          <CallResult call={result} />
        </div>
      )}
    </section>
  );
}
