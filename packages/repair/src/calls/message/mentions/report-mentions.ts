import type { CallableTool } from '../../contract/envelope.ts';
import { rejectedCall } from '../../settle/rejected-call.ts';
import type { MessageSink } from '../queue/message-sink.ts';
import { createMentionFinder, mentionReach } from './find-mentions.ts';

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
  /** Number of characters of it that have been searched. */
  let seen = 0;
  /** The end of the last reported mention, from the beginning of the message. */
  let reported = 0;
  let isHead = true;
  let damaged = nothingDamaged;

  const look = (to: number, isEnd: boolean): void => {
    for (const mention of find(text, Math.max(seen, reported - base), to, Math.max(0, reported - base))) {
      const isFirst = isHead && /^[\s[({"'`*]*$/.test(text.slice(0, mention.start));
      const isLast = isEnd && /^[\s\])}"'`*.;]*$/.test(text.slice(mention.end));
      const reason = !mention.isReadable && (isFirst || isLast) ? 'invalid_json' : 'mentioned';
      const span = { start: base + mention.start, end: base + mention.end };
      sink.rejected(rejectedCall(tools, reason, span, mention.name), '', undefined);
      reported = span.end;
    }
    seen = to;
  };
  /** `[f(a='x), g(b=1)]`: reports the calls that follow a damaged one in its text. */
  const lookInside = (): void => {
    const { text: inside, start, names } = damaged;
    damaged = nothingDamaged;
    if (names.size === 0) return;
    for (const mention of find(inside, 0, inside.length, 0)) {
      const before = inside.slice(Math.max(0, mention.start - 20), mention.start);
      if (names.has(mention.name) || !/[)\]}]\s{0,9},?\s{0,9}$/.test(before)) continue;
      const span = { start: start + mention.start, end: start + mention.end };
      sink.rejected(rejectedCall(tools, 'mentioned', span, mention.name), '', undefined);
    }
  };
  const end = (isEnd: boolean): void => {
    lookInside();
    look(text.length, isEnd);
    base += text.length;
    isHead = false;
    text = '';
    seen = 0;
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
      if (text.length - mentionReach < seen + leastNew) return;
      look(text.length - mentionReach, false);
      const before = seen - 4 * mentionReach;
      if (before < 4 * mentionReach) return;
      isHead = false;
      text = text.slice(before);
      base += before;
      seen -= before;
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
