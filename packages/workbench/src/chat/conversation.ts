import { renderForModel, type ToolResult } from '@haft/core';
import { asJson, cutText } from '../contract/as-json.ts';
import type { ChatEntry } from '../contract/chat-data.ts';

/** An event of a run. The events of `runAgent` of `@haft/runner` have this shape. */
export interface ChatEvent {
  readonly type: string;
  readonly turn?: number;
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[];
  readonly origin?: string;
  readonly call?: { readonly call: { readonly id: string }; readonly result: ToolResult };
  readonly error?: { readonly message: string };
  readonly usage?: {
    readonly totalTokens?: number;
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly costUsd?: number;
  };
}

type Answer = Extract<ChatEntry, { kind: 'assistant' }>;

const maxEntries = 1_000;

/** The entries of a conversation, built from the events of its runs. */
export class Conversation {
  readonly entries: ChatEntry[] = [];
  tokens = 0;
  costUsd = 0;

  add(entry: ChatEntry): void {
    this.entries.push(entry);
    if (this.entries.length > maxEntries) this.entries.splice(0, this.entries.length - maxEntries);
  }

  /** Adds the content of an event. */
  apply(event: ChatEvent): void {
    const { type, turn = 0, text = '', calls = [], origin, call, error, usage } = event;
    const hasText = event.text !== undefined;
    if (type === 'text') this.#answer(turn, (answer) => ({ ...answer, text: answer.text + text }));
    else if (type === 'reasoning') this.#answer(turn, (answer) => ({ ...answer, reasoning: answer.reasoning + text }));
    else if (type === 'retry') {
      this.#drop(turn);
      this.add({
        kind: 'note',
        text: `The request failed and is repeated: ${error?.message ?? 'unknown'}`,
        isProblem: true,
      });
    } else if (type === 'calls') {
      if (origin === 'text' && hasText) this.#clean(turn, text);
      for (const { id, name, arguments: args } of calls)
        this.add({
          kind: 'call',
          turn,
          id,
          name,
          arguments: asJson(args),
          isFromText: origin === 'text',
          state: 'running',
          result: '',
        });
    } else if (type === 'result' && call) this.#finish(call.call.id, call.result);
    else if (type === 'turn-end') {
      if (this.#hasTextCalls(turn)) this.#clean(turn, text);
      this.#answer(turn, (answer) => ({ ...answer, text: cutText(text) }));
      this.tokens += usage?.totalTokens ?? (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
      this.costUsd += usage?.costUsd ?? 0;
    }
  }

  #answer(turn: number, change: (answer: Answer) => Answer): void {
    const start = this.entries.findLastIndex(({ kind }) => kind === 'user');
    const at = this.entries.findLastIndex((entry) => entry.kind === 'assistant' && entry.turn === turn);
    const known = at > start ? (this.entries[at] as Answer) : undefined;
    const next = change(known ?? { kind: 'assistant', turn, text: '', reasoning: '' });
    if (known) this.entries[at] = next;
    else if (next.text !== '' || next.reasoning !== '') this.add(next);
  }

  #hasTextCalls(turn: number): boolean {
    const start = this.entries.findLastIndex(({ kind }) => kind === 'user');
    return this.entries.some(
      (entry, index) => index > start && entry.kind === 'call' && entry.turn === turn && entry.isFromText,
    );
  }

  /** Shows the text without calls that were written as text, and keeps the whole text. */
  #clean(turn: number, text: string): void {
    this.#answer(turn, (answer) =>
      answer.written === undefined && answer.text !== text
        ? { ...answer, text: cutText(text), written: cutText(answer.text) }
        : answer,
    );
  }

  #drop(turn: number): void {
    const at = this.entries.findLastIndex((entry) => entry.kind === 'assistant' && entry.turn === turn);
    if (at > this.entries.findLastIndex(({ kind }) => kind === 'user')) this.entries.splice(at, 1);
  }

  #finish(id: string, result: ToolResult): void {
    const at = this.entries.findLastIndex((entry) => entry.kind === 'call' && entry.id === id);
    const entry = this.entries[at];
    if (entry?.kind !== 'call') return;
    this.entries[at] = {
      ...entry,
      ...(result.arguments?.value === undefined ? {} : { arguments: asJson(result.arguments.value) }),
      state: result.ok ? 'ok' : 'failed',
      result: cutText(renderForModel(result)),
      ...(result.diff && { diff: cutText(result.diff.patch) }),
    };
  }
}
