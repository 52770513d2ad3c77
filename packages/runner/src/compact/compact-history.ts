import { type Message } from '@haft/core';
import { renderPart } from '@haft/core/results';
import { functionKind, integerKind, checkOptions, type OptionTable } from '@haft/core/options';

/** Selects the messages that stay, and how the others are summarised. */
export interface CompactOptions {
  /** Number of latest groups to keep; default 6. A group is a message, or a message with calls and their answers. */
  readonly keep?: number;
  /** Selects further messages to keep. System messages and the first user message always stay. */
  readonly pinned?: (message: Message, index: number) => boolean;
  /**
   * Summarises the removed messages, for example with a model. Default: a list of the calls. Its exceptions are passed
   * on.
   */
  readonly summarize?: (messages: readonly Message[]) => string | Promise<string>;
}

/** Kind of each option. */
export const compactKinds: OptionTable<CompactOptions> = {
  keep: integerKind({ min: 1 }),
  pinned: functionKind,
  summarize: functionKind,
};

/** The result of compacting a conversation. */
export interface CompactedHistory {
  /** The original array if nothing was removed. */
  readonly messages: readonly Message[];
  /** Number of removed messages. */
  readonly removed: number;
}

/** First line of the summary message. */
const opening = 'Summary of the conversation so far, whose older part was left out to save room:';

/**
 * Shortens a conversation: a summary replaces older messages. A call and its answers stay or go together; so do all
 * calls of one message. Order is preserved.
 *
 * @throws HaftError `INVALID_OPTION` if `keep` is not a positive integer.
 * @example
 * import { compactHistory } from '@haft/runner';
 * const messages = [{ role: 'user' as const, content: 'Hello' }];
 * (await compactHistory(messages, { keep: 4 })).messages.length; // => 1
 */
export async function compactHistory(
  messages: readonly Message[],
  options: CompactOptions = {},
): Promise<CompactedHistory> {
  checkOptions('compactHistory', options, compactKinds, '{ keep: 6 }');
  const { keep = 6, pinned, summarize = listCompletedCalls } = options;
  const groups = groupMessages(messages);
  const firstUser = messages.findIndex(({ role }) => role === 'user');
  const isPinned = (index: number): boolean =>
    messages[index]!.role === 'system' || index === firstUser || pinned?.(messages[index]!, index) === true;
  const recentFrom = Math.max(0, groups.length - keep);
  const stays = groups.map((group, at) => at >= recentFrom || group.some(isPinned));
  const gone = groups.flatMap((group, at) => (stays[at] ? [] : group.map((index) => messages[index]!)));
  // Nothing to remove, or only an earlier summary.
  if (gone.every(isSummary)) return { messages, removed: 0 };
  const summary: Message = { role: 'user', content: `${opening}\n${await summarize(gone)}` };
  const firstGone = stays.indexOf(false);
  const kept = groups.flatMap((group, at): readonly Message[] => {
    if (at === firstGone) return [summary];
    return stays[at] ? group.map((index) => messages[index]!) : [];
  });
  return { messages: kept, removed: gone.length };
}

/** Groups message indexes: a message with calls and their answers, or a single message. */
function groupMessages(messages: readonly Message[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  const groupOfCall = new Map<string, number[]>();
  for (const [index, message] of messages.entries()) {
    const known = message.role === 'tool' ? groupOfCall.get(message.callId) : undefined;
    if (known) {
      known.push(index);
      continue;
    }
    const group = [index];
    groups.push(group);
    if (message.role === 'assistant') for (const call of message.toolCalls ?? []) groupOfCall.set(call.id, group);
  }
  return groups;
}

function isSummary({ role, content }: Message): boolean {
  return role === 'user' && typeof content === 'string' && content.startsWith(opening);
}

/** Lists the facts, one per line. */
function listCompletedCalls(messages: readonly Message[]): string {
  const lines: string[] = [];
  for (const message of messages) {
    if (isSummary(message)) lines.push((message.content as string).slice(opening.length + 1));
    else if (message.role === 'assistant') {
      if (message.content.trim() !== '') lines.push(`You said: ${cut(message.content, 300)}`);
      for (const { name, arguments: args } of message.toolCalls ?? [])
        lines.push(`You called ${name} with ${cut(JSON.stringify(args) ?? '', 200)}`);
    } else if (message.role === 'tool') {
      const text = message.content.map(renderPart).join(' ');
      lines.push(`${message.name} ${message.isError ? 'failed' : 'answered'}: ${cut(text, 200)}`);
    } else lines.push(`The user said: ${cut(textOf(message), 500)}`);
  }
  return lines.length <= 200 ? lines.join('\n') : ['[…]', ...lines.slice(-200)].join('\n');
}

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : content.map(renderPart).join(' ');
}

function cut(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most)}…`;
}
