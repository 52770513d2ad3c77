import { useCallback, useSyncExternalStore } from 'react';
import type { CallDetails, ToolDetails } from '../../../src/contract/page-data.ts';
import { send } from '../data/request.ts';
import { draftOf, type Draft } from './draft.ts';
import type { FormGroup } from './form-node.ts';

/** The result of a call that the page made. */
export type OwnResult = Partial<CallDetails> & { readonly callId: string; readonly isOk: boolean };

/** What the user entered for a tool, and the state of its call. */
export interface CallEntry {
  readonly mode: 'form' | 'text';
  readonly draft: Draft;
  readonly text: string;
  /** ID of the running call; empty while no call runs. */
  readonly running: string;
  readonly result?: OwnResult;
  readonly problem: string;
}

const maxEntries = 30;

/** The entries of this tab, so that they survive a visit to another page. The latest one is the last. */
const entries = new Map<string, CallEntry>();
const listeners = new Set<() => void>();

/** An entry, and functions that change it and call the tool. */
export interface UsedCallEntry {
  readonly entry: CallEntry;
  readonly change: (change: Partial<CallEntry>) => void;
  /** Calls the tool. The result arrives in the entry, even if the user has left the page. */
  readonly call: (args: object) => Promise<void>;
}

/** Uses the entry of a tool with this form. `given` are arguments to begin with, as text. */
export function useCallEntry(tool: ToolDetails, form: FormGroup, given: string): UsedCallEntry {
  const key = `${tool.name}\n${JSON.stringify(tool.schema)}\n${given}`;
  const read = useCallback((): CallEntry => {
    const known = entries.get(key);
    if (known !== undefined) return known;
    const first: CallEntry = {
      mode: given === '' && form.fields.length > 0 ? 'form' : 'text',
      draft: draftOf(form, tool.example),
      text: given === '' ? JSON.stringify(tool.example, null, 2) : given,
      running: '',
      problem: '',
    };
    keep(key, first);
    return first;
  }, [key]);
  const entry = useSyncExternalStore(subscribe, read);
  const change = (part: Partial<CallEntry>): void => {
    keep(key, { ...read(), ...part });
    for (const listener of listeners) listener();
  };
  const call = async (args: object): Promise<void> => {
    const id = `workbench_${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
    change({ running: id, problem: '' });
    try {
      change({ result: await send<OwnResult>('call', { id, name: tool.name, ...args }) });
    } catch (error) {
      change({ problem: error instanceof Error ? error.message : String(error) });
    } finally {
      change({ running: '' });
    }
  };
  return { entry, change, call };
}

function keep(key: string, entry: CallEntry): void {
  entries.delete(key);
  entries.set(key, entry);
  const [oldest] = entries.keys();
  if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
