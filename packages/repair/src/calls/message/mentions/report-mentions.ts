import type { CallableTool } from '../../contract/envelope.ts';
import { rejectedCall } from '../../settle/rejected-call.ts';
import type { MessageSink } from '../queue/message-sink.ts';
import { createMentionFinder, mentionReach } from './find-mentions.ts';

/** Number of characters that are searched at a time: each search joins the text that has arrived. */
const leastNew = 512;

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
  const end = (isEnd: boolean): void => {
    look(text.length, isEnd);
    base += text.length;
    isHead = false;
    text = '';
    seen = 0;
  };
  return {
    ...sink,
    text: (more, isUntrusted) => {
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
      end(false);
      sink.rejected(rejected, more, live);
      base += more.length;
    },
    finish: () => end(true),
  };
}
