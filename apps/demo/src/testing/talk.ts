import { expect, onTestFinished, vi } from 'vitest';
import { chat } from '../commands/chat.ts';
import type { TerminalDevice } from '../permission/terminal-device.ts';
import type { Invocation } from '../program/command.ts';
import { plainPaint } from '../show/paint.ts';
import { startLoopbackModelServer, type LoopbackModelServer, type LoopbackReply } from './loopback-model-server.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/** A line that is typed, or something that happens in the folder meanwhile. */
export type Step = string | (() => void);

/** What came of a conversation. */
export interface Talk {
  /** What stands on the screen after each line that was typed. */
  readonly answers: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
  /** The last thing the person said, in each request. */
  readonly asked: readonly string[];
  readonly requests: LoopbackModelServer['requests'];
}

/** Talks with `chat` in this process, with a model whose answers are data. What it remembers is in a folder of its own, or the given one. */
export async function talk(
  cwd: string,
  replies: readonly LoopbackReply[],
  steps: readonly Step[],
  { state, flags = [] }: { readonly state?: string; readonly flags?: readonly string[] } = {},
): Promise<Talk> {
  const server = await startLoopbackModelServer(replies);
  onTestFinished(() => server.close());
  const answers = new Map<string, string>();
  const notes: string[] = [];
  let typed = '';
  let screen = '';
  const left = [...steps];
  const device: TerminalDevice = {
    paint: plainPaint,
    write: () => {},
    forget: () => {},
    readLine: async () => {
      answers.set(typed, screen);
      screen = '';
      for (let step = left.shift(); step !== undefined; step = left.shift()) {
        if (typeof step === 'string') return (typed = step);
        step();
      }
      return undefined;
    },
    close: () => {},
  };
  const invocation = invoke(cwd, {
    flags: ['yes', 'no-jail', ...flags],
    values: { 'base-url': server.baseUrl, model: 'tiny' },
    device,
    write: (text) => void (screen += text),
    note: (text) => void notes.push(text),
  });
  vi.stubEnv('XDG_STATE_HOME', state ?? (await createTemporaryFolder(onTestFinished)));
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await chat.run(invocation)).toBe(0);
  const asked = server.requests.map(({ messages }) => {
    const said = messages as readonly { readonly role: string; readonly content: string }[];
    return said.findLast(({ role }) => role === 'user')!.content;
  });
  return { answers, notes, asked, requests: server.requests };
}

/** How a command was typed. */
export interface Invoked {
  readonly flags?: readonly string[];
  readonly values?: Readonly<Record<string, string>>;
  readonly positionals?: readonly string[];
  readonly device?: TerminalDevice;
  readonly write: (text: string) => void;
  readonly note: (text: string) => void;
}

/** A command as it was typed, in this process. */
export function invoke(
  cwd: string,
  { flags = [], values = {}, positionals = [], device, write, note }: Invoked,
): Invocation {
  return {
    positionals,
    flag: (name) => flags.includes(name),
    value: (name) => values[name],
    cwd,
    terminal: {
      write,
      line: (text = '') => write(`${text}\n`),
      note,
      paint: plainPaint,
      isInteractive: false,
      columns: 200,
      closed: new AbortController().signal,
      reserve: () => {},
      flush: async () => {},
    },
    device: () => device,
    signal: new AbortController().signal,
    onInterrupt: () => () => {},
  };
}
