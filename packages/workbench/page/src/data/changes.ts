import type { SectionName } from '../../../src/contract/page-data.ts';
import { ask } from './request.ts';

/** State of the connection to the program. `refused`: the token is missing or wrong. */
export type ConnectionState = 'connecting' | 'connected' | 'lost' | 'refused';

type Listener = (sections: readonly SectionName[]) => void;

const listeners = new Set<Listener>();
const stateListeners = new Set<() => void>();
let state: ConnectionState = 'connecting';
let isStarted = false;
let wake: (() => void) | undefined;

/** Calls a listener with the sections that changed. Returns a function that removes it. */
export function onChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the state of the connection. */
export function connectionState(): ConnectionState {
  return state;
}

/** Calls a listener when the state changes. Returns a function that removes it. */
export function onConnectionState(listener: () => void): () => void {
  stateListeners.add(listener);
  return () => stateListeners.delete(listener);
}

/** Connects now instead of after the pause between two attempts. */
export function reconnect(): void {
  wake?.();
}

/** Follows the changes of the program for as long as the page is open, and connects again when the connection is lost. */
export function followChanges(): void {
  if (isStarted) return;
  isStarted = true;
  void follow();
}

const firstPauseMs = 500;
const maxPauseMs = 10_000;

async function follow(): Promise<void> {
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
    try {
      const response = await ask('changes');
      if (response.status === 401) setState('refused');
      else if (response.ok && response.body !== null) {
        setState('connected');
        pause = firstPauseMs;
        await readEvents(response.body);
        setState('lost');
      } else setState('lost');
    } catch {
      setState('lost');
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

async function readEvents(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = `${rest}${value}`.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data === undefined) continue;
      const sections = JSON.parse(data) as readonly SectionName[];
      for (const listener of listeners) listener(sections);
    }
  }
}

function setState(next: ConnectionState): void {
  if (next === state) return;
  state = next;
  for (const listener of stateListeners) listener();
}
