import { useState } from 'react';
import type { ChatState } from '../../../src/contract/chat-data.ts';

/** The model that answers, and a form to connect another one. */
export function ModelBar({
  chat,
  act,
}: {
  readonly chat: ChatState;
  readonly act: (path: string, body: object) => Promise<void>;
}) {
  const [baseUrl, setBaseUrl] = useState('http://localhost:11434/v1');
  const [model, setModel] = useState('');
  const [apiKey, setApiKey] = useState('');
  return (
    <div className="chat-models">
      <label className="field">
        <span>Model</span>
        <select value={chat.model} onChange={(event) => void act('chat/model', { model: event.target.value })}>
          {chat.models.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {chat.canConnect && (
        <details>
          <summary>Connect another model</summary>
          <form
            className="row wrap"
            onSubmit={(event) => {
              event.preventDefault();
              void act('chat/connect', { baseUrl, model, apiKey });
              setApiKey('');
            }}
          >
            <label className="field">
              <span>OpenAI-compatible URL</span>
              <input value={baseUrl} autoComplete="off" onChange={(event) => setBaseUrl(event.target.value)} />
            </label>
            <label className="field">
              <span>Name of the model</span>
              <input value={model} autoComplete="off" onChange={(event) => setModel(event.target.value)} />
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
            <button type="submit">Connect</button>
          </form>
        </details>
      )}
    </div>
  );
}
