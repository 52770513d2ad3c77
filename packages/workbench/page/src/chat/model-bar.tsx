import { useState } from 'react';
import type { ChatState } from '../../../src/contract/chat-data.ts';
import { send } from '../data/request.ts';
import { visible } from '../data/visible.ts';

/** The model that answers, and a form to connect another one. */
export function ModelBar({ chat }: { readonly chat: ChatState }) {
  const [problem, setProblem] = useState('');
  const choose = (model: string): void => {
    setProblem('');
    send('chat/model', { model }).catch((error: unknown) => setProblem(messageOf(error)));
  };
  return (
    <div className="chat-models">
      <label className="field">
        <span>Model</span>
        <select value={chat.model} onChange={(event) => choose(event.target.value)}>
          {chat.models.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {problem !== '' && (
        <p className="notice bad" role="alert">
          {visible(problem)}
        </p>
      )}
      {chat.canConnect && (
        <details>
          <summary>Connect another model</summary>
          <ConnectForm />
        </details>
      )}
    </div>
  );
}

/** Result of the latest attempt to connect. */
interface Outcome {
  readonly look: 'good' | 'warn' | 'bad';
  readonly text: string;
}

function ConnectForm() {
  const [baseUrl, setBaseUrl] = useState('http://localhost:11434/v1');
  const [model, setModel] = useState('');
  const [apiKey, setApiKey] = useState('');
  const [isChecking, setChecking] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const connect = async (): Promise<void> => {
    if (isChecking) return;
    setOutcome(undefined);
    setChecking(true);
    try {
      const { remark } = await send<{ readonly remark?: string }>('chat/connect', { baseUrl, model, apiKey });
      const done = `Connected: ${model} answers from now on.`;
      setOutcome(
        remark === undefined
          ? { look: 'good', text: apiKey === '' ? done : `${done} The server accepts the key.` }
          : { look: 'warn', text: `${done} ${remark}` },
      );
      setApiKey('');
    } catch (error) {
      // The fields stay as they are, so that the user can correct them.
      setOutcome({ look: 'bad', text: `Not connected: ${messageOf(error)}` });
    } finally {
      setChecking(false);
    }
  };
  return (
    <>
      <form
        className="row wrap"
        onSubmit={(event) => {
          event.preventDefault();
          void connect();
        }}
      >
        <label className="field">
          <span>OpenAI-compatible URL</span>
          <input
            type="url"
            pattern="https?://.+"
            title="A URL such as http://localhost:11434/v1"
            required
            value={baseUrl}
            autoComplete="off"
            onChange={(event) => setBaseUrl(event.target.value)}
          />
        </label>
        <label className="field">
          <span>Name of the model</span>
          <input required value={model} autoComplete="off" onChange={(event) => setModel(event.target.value)} />
        </label>
        <label className="field">
          <span>Key (kept in the program’s memory only)</span>
          <input
            type="password"
            value={apiKey}
            autoComplete="off"
            onChange={(event) => setApiKey(event.target.value)}
          />
        </label>
        {/* Not disabled while it checks, so that it keeps the focus. */}
        <button type="submit" aria-disabled={isChecking}>
          {isChecking ? 'Checking…' : 'Connect'}
        </button>
      </form>
      <div aria-live="polite">
        {outcome !== undefined && <p className={`notice ${outcome.look}`}>{visible(outcome.text)}</p>}
      </div>
    </>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
