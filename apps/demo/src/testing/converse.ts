import { expect, onTestFinished, vi } from 'vitest';
import { chat } from '../commands/chat.ts';
import type { TerminalDevice } from '../permission/terminal-device.ts';
import type { Invocation } from '../program/command.ts';
import { plainPaint } from '../show/paint.ts';
import { startLoopbackModelServer, type LoopbackModelServer, type LoopbackReply } from './loopback-model-server.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/** A typed line, or a change in the folder. */
export type Step = string | (() => void);

/** Result of a conversation. */
export interface ConversationResult {
  /** The screen after each typed line. */
  readonly answers: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
  /** The questions, with the prompts. */
  readonly questions: string;
  /** The user's last message, in each request. */
  readonly asked: readonly string[];
  readonly requests: LoopbackModelServer['requests'];
}

/** Runs `chat` in this process, with scripted responses. Its state is in a new folder, or in the given one. */
export async function converse(
  cwd: string,
  replies: readonly LoopbackReply[],
  steps: readonly Step[],
  { state, flags = [] }: { readonly state?: string; readonly flags?: readonly string[] } = {},
): Promise<ConversationResult> {
  const server = await startLoopbackModelServer(replies);
  onTestFinished(() => server.close());
  const answers = new Map<string, string>();
  const notes: string[] = [];
  let typed = '';
  let screen = '';
  let questions = '';
  const left = [...steps];
  const device: TerminalDevice = {
    paint: plainPaint,
    write: (text) => void (questions += text),
    printAbove: (print) => print(),
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
  return { answers, notes, questions, asked, requests: server.requests };
}

/** A command line. */
export interface Invoked {
  readonly flags?: readonly string[];
  readonly values?: Readonly<Record<string, string>>;
  readonly positionals?: readonly string[];
  readonly device?: TerminalDevice;
  readonly write: (text: string) => void;
  readonly note: (text: string) => void;
}

/** Runs a command in this process. */
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
