import type { ArgumentsWatch } from '../../source/call-watch.ts';
import type { GrowingText } from '../../source/growing-text.ts';
import type { TaggedLayout } from './tagged-layout.ts';

/** Shows the text of an argument while it is written. */
export interface LiveText {
  /** A piece that has arrived, or with none what is in the text by now. */
  readonly add: (piece?: string) => void;
}

const CDATA = '<![CDATA[';

/**
 * Shows the value that begins at an offset as far as it is certain: without what may belong to the format, and without
 * what may turn out to be a tag, which is no longer than `tag`.
 */
export function createLiveText(
  source: GrowingText,
  begin: number,
  { trim }: TaggedLayout,
  tag: number,
  watch: ArgumentsWatch,
): LiveText {
  let seen = begin;
  let waiting = '';
  let isBegun = false;

  const start = (): boolean => {
    const inner = waiting.trimStart();
    if (inner.length < CDATA.length ? CDATA.startsWith(inner) : inner.startsWith(CDATA)) return false;
    if (trim === 'all') waiting = inner;
    else if (trim === 'line-breaks') waiting = waiting.replace(/^\r?\n/, '');
    return true;
  };
  return {
    add: (piece) => {
      const added = piece ?? source.text.slice(seen);
      seen += added.length;
      waiting += added;
      isBegun ||= start();
      if (!isBegun) return;
      // A tag that is not whole yet, and the line break before it.
      let end = waiting.length - tag - 2;
      if (trim === 'all') end = waiting.slice(0, Math.max(0, end)).trimEnd().length;
      if (end <= 0) return;
      watch.text(waiting.slice(0, end));
      waiting = waiting.slice(end);
    },
  };
}
