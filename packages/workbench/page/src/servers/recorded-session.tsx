import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import { OpenFile } from '../parts/open-file.tsx';
import { MessageList } from './message-list.tsx';
import { readSession, type RecordedSession } from './read-session.ts';

/** Item of the route that shows an opened session. */
export const recording = 'recording';

/** A button that opens a recorded session. */
export function OpenSession({ onOpened }: { readonly onOpened: (session: RecordedSession) => void }) {
  const open = (name: string, text: string): void => {
    onOpened(readSession(name, text));
    location.hash = routeTo('servers', recording);
  };
  return <OpenFile label="Open a recorded session…" fileLabel="File with a recorded session" onOpen={open} />;
}

/** The messages of a recorded session. */
export function Session({ session: { name, messages, more } }: { readonly session: RecordedSession }) {
  return (
    <article>
      <h2>{visible(name)}</h2>
      <p className="quiet">
        Recorded session, {messages.length + more} messages, oldest first
        {more > 0 && `; the first ${messages.length} are shown`}
      </p>
      <MessageList
        messages={messages}
        timeOf={(at) => <span className="quiet">{`${(at / 1_000).toFixed(3)} s`}</span>}
      />
    </article>
  );
}
