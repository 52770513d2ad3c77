import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type Message } from '@haft/core';
import { describeCause } from '@haft/core/results';
import { openSessions, pairHistory, reviveMessages, storeMessages, type SessionNotes } from '@haft/runner';
import { createStore } from '@haft/store';
import { stateFolder } from '../assembly/state-folder.ts';
import { findTask } from './find-task.ts';
import { conversationPrefix } from './conversation-prefix.ts';
import { UsageError } from '../program/usage-error.ts';
import { showableLine } from '../show/showable.ts';

/** The stored conversations of one folder. */
export interface KeptConversations extends AsyncDisposable {
  /** Where the tools keep tasks, plans and memories. */
  readonly notes: SessionNotes;
  /** Opens a new conversation, or continues the last one. */
  open(goesOn: boolean): Promise<OpenedConversation>;
  /** Finds the user's message that led to a call. Returns undefined if it is not stored. */
  findTask(sessionId: string, callId: string): Promise<string | undefined>;
}

/** An open conversation. */
export interface OpenedConversation {
  /** Its id for the tools and the journal. */
  readonly sessionId: string;
  readonly messages: readonly Message[];
  /** Stores its current state. Prints one line, once, if that fails. */
  keep(messages: readonly Message[]): Promise<void>;
}

/** Options of {@link keepConversations}. */
export interface KeepConversationsOptions {
  readonly cwd: string;
  readonly note: (line: string) => void;
  /** Folder for the program's state. */
  readonly state?: string;
}

/** Maximum length of a project name for `openSessions`, in characters. */
const maxNameLength = 300;

/** Maximum number of conversations per folder. The oldest are dropped. */
const maxKept = 20;

/**
 * Opens the stored conversations of a folder. If nothing can be stored, prints one line and keeps everything in memory
 * for this run.
 */
export async function keepConversations({
  cwd,
  note,
  state = stateFolder(),
}: KeepConversationsOptions): Promise<KeptConversations> {
  const project = realpathSync(cwd);
  const store = await openStore(project, state, note);
  const sessions = openSessions({ store, project: nameOf(project) });
  let isReported = false;
  return {
    notes: sessions.notes,
    async open(goesOn) {
      const last = goesOn ? (await sessions.list())[0] : undefined;
      if (goesOn && !last) throw new UsageError('--continue: no conversation is stored for this folder');
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
            for (const { id } of (await sessions.list()).slice(maxKept)) await sessions.delete(id);
          } catch (error) {
            if (!isReported) note(`haft: this conversation is not stored: ${showableLine(describeCause(error), 400)}`);
            isReported = true;
          }
        },
      };
    },
    async findTask(sessionId, callId) {
      try {
        const state = await sessions.load(sessionId);
        return state && findTask(reviveMessages(state.messages), callId);
      } catch {
        // A damaged conversation must not prevent an undo.
        return undefined;
      }
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

/** A path can be longer than the name of a project. */
function nameOf(folder: string): string {
  const isPlain = !/\p{Surrogate}/u.test(folder) && encodeURIComponent(folder).length <= maxNameLength;
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
      throw new Error('its files would be inside this folder, where tools can change them');
    return await createStore({
      url: `file:${join(state, 'conversations.db')}`,
      onWarning: (each) => note(`haft: ${showableLine(each.message, 400)}`),
    });
  } catch (error) {
    note(`haft: this conversation is not stored: ${showableLine(describeCause(error), 400)}`);
    return createStore({ url: 'memory:' });
  }
}
