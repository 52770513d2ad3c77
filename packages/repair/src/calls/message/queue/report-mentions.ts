import type { CallableTool } from '../../contract/callable-tool.ts';
import { rejectedCall } from '../../settle/rejected-call.ts';
import { createMentionFinder, mentionReach } from './mentions.ts';
import type { MessageSink } from './message-sink.ts';

/** Shorter additions wait for more: each search joins the text that has arrived. */
const leastNew = 512;

/** A sink that also reports what looks like a call in the text of a message and is none. */
export interface MentionReporter {
  readonly sink: MessageSink;
  /** Says that the message has ended. */
  readonly finish: () => void;
}

/** Makes a sink that hands everything on to another, and reports mentions of declared tools with arguments besides. */
export function reportMentions(tools: readonly CallableTool[], sink: MessageSink): MentionReporter {
  const find = createMentionFinder(tools);
  /** Text that belongs together, and where it begins in the message. */
  let text = '';
  let base = 0;
  /** How far it has been looked through. */
  let seen = 0;
  /** How far mentions have been reported, from the beginning of the message. */
  let reported = 0;
  let isHead = true;

  const look = (to: number, isEnd: boolean): void => {
    if (to <= seen) return;
    for (const mention of find(text, Math.max(seen, reported - base), to)) {
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
    if (text.trim() !== '') isHead = false;
    text = '';
    seen = 0;
  };
  return {
    sink: {
      ...(sink.begin === undefined ? {} : { begin: sink.begin }),
      text: (more, isQuoted) => {
        sink.text(more, isQuoted);
        if (isQuoted) {
          end(false);
          base += more.length;
          return;
        }
        text += more;
        if (text.length - mentionReach < seen + leastNew) return;
        look(text.length - mentionReach, false);
        const before = seen - 4 * mentionReach;
        if (before < 4 * mentionReach) return;
        if (text.slice(0, before).trim() !== '') isHead = false;
        text = text.slice(before);
        base += before;
        seen -= before;
      },
      call: (call, live) => {
        end(false);
        sink.call(call, live);
        base = Math.max(base, call.end);
        isHead = false;
      },
      rejected: (rejected, more, live) => {
        end(false);
        sink.rejected(rejected, more, live);
        base += more.length;
        isHead = false;
      },
    },
    finish: () => end(true),
  };
}
