import { useState } from 'react';
import { reconnect, type ConnectionState } from '../data/changes.ts';
import { keepToken } from '../data/token.ts';

/** Says when the page shows old data, and what to do. Empty while the connection works. */
export function ConnectionBar({ state }: { readonly state: ConnectionState }) {
  const [token, setToken] = useState('');
  if (state === 'connected' || state === 'connecting') return null;
  if (state === 'lost') {
    return (
      <div className="bar bad" role="status">
        The program does not answer. The page shows the latest data it received, and reconnects by itself.
        <button type="button" className="small" onClick={reconnect}>
          Try now
        </button>
      </div>
    );
  }
  return (
    <form
      className="bar warn"
      onSubmit={(event) => {
        event.preventDefault();
        keepToken(token.trim().replace(/^.*token=/, ''));
        location.reload();
      }}
    >
      <label htmlFor="token">
        This tab has no valid token. Open the URL that the program printed, or paste it here:
      </label>
      <input id="token" value={token} onChange={(event) => setToken(event.target.value)} autoComplete="off" />
      <button type="submit" className="small">
        Connect
      </button>
    </form>
  );
}
