import type { CallableTool } from '../../contract/envelope.ts';
import type { RejectReason } from '../../contract/extraction.ts';
import { rejectedCall } from '../../settle/rejected-call.ts';
import type { MessageSink } from '../queue/message-sink.ts';
import { createMentionFinder, type Mention, mentionReach } from './find-mentions.ts';

/** Number of characters that are searched at a time: each search joins the text that has arrived. */
const leastNew = 512;

/** The text of damaged calls, and the names of their tools. */
interface Damaged {
  readonly text: string;
  readonly start: number;
  readonly names: Set<string>;
}

const nothingDamaged: Damaged = { text: '', start: 0, names: new Set() };

interface MentionReporter extends MessageSink {
  /** Searches the rest of the text at the end of the message. */
  readonly finish: () => void;
}

/** Creates a sink that passes everything on, and also reports mentions of declared tools with arguments. */
export function reportMentions(tools: readonly CallableTool[], sink: MessageSink): MentionReporter {
  const find = createMentionFinder(tools);
  /** The text since the last call, and its offset in the message. */
  let text = '';
  let base = 0;
  /** The end of what has been searched or reported, from the beginning of the message. */
  let seen = 0;
  let isHead = true;
  let damaged = nothingDamaged;

  const report = ({ name, start, end: to }: Mention, from: number, reason: RejectReason): void =>
    sink.rejected(rejectedCall(tools, reason, { start: from + start, end: from + to }, name), '', undefined);
  const look = (to: number, isEnd: boolean): void => {
    const found = find(text, Math.max(0, seen - base), to);
    for (const mention of found) {
      const isFirst = isHead && /^[\s[({"'`*]*$/.test(text.slice(0, mention.start));
      const isLast = isEnd && /^[\s\])}"'`*.;]*$/.test(text.slice(mention.end));
      const reason = !mention.isReadable && (isFirst || isLast) ? 'invalid_json' : 'mentioned';
      report(mention, base, reason);
    }
    seen = base + Math.max(to, found.at(-1)?.end ?? 0);
  };
  /** `[f(a='x), g(b=1)]`: reports the calls that follow a damaged one in its text. */
  const lookInside = (): void => {
    const { text: inside, start, names } = damaged;
    damaged = nothingDamaged;
    if (names.size === 0) return;
    for (const mention of find(inside, 0, inside.length)) {
      const before = inside.slice(Math.max(0, mention.start - 20), mention.start);
      if (!names.has(mention.name) && /[)\]}]\s{0,9},?\s{0,9}$/.test(before)) report(mention, start, 'mentioned');
    }
  };
  const end = (isEnd: boolean): void => {
    lookInside();
    look(text.length, isEnd);
    base += text.length;
    isHead = false;
    text = '';
  };
  return {
    ...sink,
    text: (more, isUntrusted) => {
      lookInside();
      sink.text(more, isUntrusted);
      if (isUntrusted) {
        end(false);
        base += more.length;
        return;
      }
      text += more;
      const to = text.length - mentionReach;
      if (to < Math.max(0, seen - base) + leastNew) return;
      look(to, false);
      const before = to - 4 * mentionReach;
      if (before < 4 * mentionReach) return;
      isHead = false;
      text = text.slice(before);
      base += before;
    },
    call: (call, live) => {
      end(false);
      sink.call(call, live);
      base = Math.max(base, call.end);
    },
    rejected: (rejected, more, live) => {
      const isSame = more === '' && damaged.names.size > 0;
      if (!isSame) end(false);
      sink.rejected(rejected, more, live);
      const { name, reason } = rejected;
      if (isSame) damaged.names.add(name ?? '');
      else if (reason === 'incomplete' || reason === 'invalid_json')
        damaged = { text: more, start: base, names: new Set([name ?? '']) };
      base += more.length;
    },
    finish: () => end(true),
  };
}
