import type { ContentPart, Message } from '@haft/core';
import { cutMiddle } from '@haft/core/dispatch';
import { report, type RunState } from '../../run/run-state.ts';

const defaultLimit = 200_000;

/**
 * Limits the total text of the tool messages of one turn. Short results stay unchanged; the longest are cut in the
 * middle to the same length. Programs still receive the whole results.
 */
export function fitResults<Answered extends { readonly message: Message }>(
  run: RunState,
  turn: number,
  answered: readonly Answered[],
): readonly Answered[] {
  const limit = run.options.maxTurnResultCharacters ?? defaultLimit;
  const lengths = answered.map(({ message }) => textLengthOf(message));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total <= limit) return answered;
  const each = largestShare(lengths, limit);
  const cut = lengths.filter((length) => length > each).length;
  const message = `the results of the turn have ${total} characters together (limit ${limit}); ${cut} of them were cut`;
  report(run, { kind: 'results-cut', turn, message });
  return answered.map((answer, index) =>
    lengths[index]! <= each ? answer : { ...answer, message: cutMessage(answer.message, each) },
  );
}

/** Returns the length to which the longest results must be cut, so that the sum fits the limit. */
function largestShare(lengths: readonly number[], limit: number): number {
  let left = limit;
  const sorted = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Infinity;
}

function textLengthOf({ content }: Message): number {
  if (typeof content === 'string') return content.length;
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
}

/** The location of the whole text of a result that was cut earlier, and the length of the note. */
const keptPlace = /\[… \d+ characters left out; the whole text is in (.+?) …\]/;
const room = 60;

function cutMessage(message: Message, limit: number): Message {
  if (message.role !== 'tool') return message;
  const content = message.content.map((part): ContentPart => {
    if (part.type !== 'text') return part;
    const place = keptPlace.exec(part.text)?.[1];
    const kept = Math.max(0, limit - room - (place?.length ?? 0));
    return { ...part, text: cutMiddle(part.text, kept, place) };
  });
  return { ...message, content };
}
