import { type Message } from '@haft/core';
import { renderPart } from '@haft/core/results';
import { aFunction, anInteger, checkOptions, type OptionTable } from '@haft/core/options';

/** What is kept, and what becomes of the rest. */
export interface CompactOptions {
  /** The latest groups that stay as they are: a message, or one with calls together with their answers; default 6. */
  readonly keep?: number;
  /** Which messages stay whatever their age. System messages and the first message of the user always do. */
  readonly pinned?: (message: Message, index: number) => boolean;
  /**
   * Puts what goes into words, such as by asking a model; default: a list of what was called, without a model. What it
   * throws, compacting throws.
   */
  readonly summarise?: (messages: readonly Message[]) => string | Promise<string>;
}

/** The kind of each option. */
export const compactKinds: OptionTable<CompactOptions> = {
  keep: anInteger({ min: 1 }),
  pinned: aFunction,
  summarise: aFunction,
};

/** A shorter conversation. */
export interface CompactedHistory {
  /** The very array that was given when there was nothing to do. */
  readonly messages: readonly Message[];
  /** How many messages went. */
  readonly removed: number;
}

/** Begins the message that stands for what went. */
const opening = 'Summary of the conversation so far, whose older part was left out to save room:';

/**
 * Makes a conversation shorter: older messages give way to one that sums them up. A call and its answers go or stay
 * together, pinned ones with all the calls of their message; order is kept.
 *
 * @throws HaftError `INVALID_OPTION` for a `keep` that is no whole number above 0.
 */
export async function compactHistory(
  messages: readonly Message[],
  options: CompactOptions = {},
): Promise<CompactedHistory> {
  checkOptions('compactHistory', options, compactKinds, '{ keep: 6 }');
  const { keep = 6, pinned, summarise = listCompletedCalls } = options;
  const groups = groupMessages(messages);
  const firstUser = messages.findIndex(({ role }) => role === 'user');
  const isPinned = (index: number): boolean =>
    messages[index]!.role === 'system' || index === firstUser || pinned?.(messages[index]!, index) === true;
  const recentFrom = Math.max(0, groups.length - keep);
  const stays = groups.map((group, at) => at >= recentFrom || group.some(isPinned));
  const gone = groups.flatMap((group, at) => (stays[at] ? [] : group.map((index) => messages[index]!)));
  // Nothing, or an earlier summary alone, which other words make no shorter.
  if (gone.every(isSummary)) return { messages, removed: 0 };
  const summary: Message = { role: 'user', content: `${opening}\n${await summarise(gone)}` };
  const firstGone = stays.indexOf(false);
  const kept = groups.flatMap((group, at): readonly Message[] => {
    if (at === firstGone) return [summary];
    return stays[at] ? group.map((index) => messages[index]!) : [];
  });
  return { messages: kept, removed: gone.length };
}

/** Positions of messages that belong together: one with calls and the answers to them, or a message by itself. */
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

/** The bare facts, a line each. */
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
