import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type Message } from '@haft/core';
import { describeCause } from '@haft/core/results';
import { openSessions, pairHistory, reviveMessages, storeMessages, type SessionNotes } from '@haft/runner';
import { createStore } from '@haft/store';
import { stateFolder } from '../assembly/state-folder.ts';
import { conversationPrefix } from './conversation-prefix.ts';
import { UsageError } from '../program/usage-error.ts';
import { showableLine } from '../show/showable.ts';

/** The conversations of one folder, from run to run. */
export interface KeptConversations extends AsyncDisposable {
  /** Where the tools keep tasks, plans and memories. */
  readonly notes: SessionNotes;
  /** A conversation to begin with, or the last one to go on with. */
  open(goesOn: boolean): Promise<OpenedConversation>;
}

/** A conversation, as it stands. */
export interface OpenedConversation {
  /** By which the tools and the journal know it. */
  readonly sessionId: string;
  readonly messages: readonly Message[];
  /** Keeps it as it is now; says so, once, where that can't be done. */
  keep(messages: readonly Message[]): Promise<void>;
}

/** What {@link keepConversations} takes. */
export interface KeepConversationsOptions {
  readonly cwd: string;
  readonly note: (line: string) => void;
  /** Where the program keeps what it remembers. */
  readonly state?: string;
}

/** What `openSessions` takes, in characters of an address. */
const longestName = 300;

/** How many are kept for a folder; older ones are forgotten. */
const mostKept = 20;

/**
 * Opens what is kept of conversations in a folder. Where nothing can be kept one line says why, and all of it lasts as long as the run.
 */
export async function keepConversations({
  cwd,
  note,
  state = stateFolder(),
}: KeepConversationsOptions): Promise<KeptConversations> {
  const project = realpathSync(cwd);
  const store = await openStore(project, state, note);
  const sessions = openSessions({ store, project: nameOf(project) });
  let isTold = false;
  return {
    notes: sessions.notes,
    async open(goesOn) {
      const last = goesOn ? (await sessions.list())[0] : undefined;
      if (goesOn && !last) throw new UsageError('--continue: no conversation has been kept for this folder');
      const sessionId = last?.id ?? `${conversationPrefix}${randomUUID()}`;
      const state = last && (await sessions.load(last.id));
      return {
        sessionId,
        messages: state ? reviveMessages(state.messages) : [],
        async keep(messages) {
          try {
            const stored = await storeMessages(pairHistory(messages).messages);
            const usage = state?.usage ?? {};
            await sessions.save({
              save: async () => ({ version: 1, id: sessionId, messages: stored, usage, waiting: [] }),
            });
            for (const { id } of (await sessions.list()).slice(mostKept)) await sessions.delete(id);
          } catch (error) {
            if (!isTold) note(`haft: this conversation is not kept: ${showableLine(describeCause(error), 400)}`);
            isTold = true;
          }
        },
      };
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

/** A path may be longer than the name of a project. */
function nameOf(folder: string): string {
  const isPlain = !/\p{Surrogate}/u.test(folder) && encodeURIComponent(folder).length <= longestName;
  return isPlain ? folder : createHash('sha256').update(folder).digest('hex');
}

async function openStore(
  project: string,
  folder: string,
  note: (line: string) => void,
): ReturnType<typeof createStore> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const state = realpathSync(folder);
    if (`${state}${sep}`.startsWith(project.endsWith(sep) ? project : `${project}${sep}`))
      throw new Error('what it would keep lies in this folder itself, open to the tools');
    return await createStore({
      url: `file:${join(state, 'conversations.db')}`,
      onWarning: (each) => note(`haft: ${showableLine(each.message, 400)}`),
    });
  } catch (error) {
    note(`haft: nothing of this conversation is kept after it: ${showableLine(describeCause(error), 400)}`);
    return createStore({ url: 'memory:' });
  }
}
