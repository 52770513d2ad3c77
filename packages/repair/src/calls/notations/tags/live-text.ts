import type { ArgumentsWatch } from '../../source/call-watch.ts';
import { closerOf, mayBeOwnLine, type TaggedLayout, valueWrappers } from './tagged-layout.ts';

/**
 * Creates a receiver of the chunks of an argument that shows it as far as it is certain: without text that may belong to the
 * format, and without the beginning of a possible tag.
 */
export function createLiveText(layout: TaggedLayout, key: string, watch: ArgumentsWatch): (chunk: string) => void {
  const { trim, argumentOpener, callCloser } = layout;
  const tag = Math.max(closerOf(layout, key).length, argumentOpener.length, callCloser.length, key.length + 20);
  let waiting = '';
  let isBegun = false;

  const start = (): boolean => {
    const inner = waiting.trimStart();
    if (valueWrappers.some(([opener]) => opener.startsWith(inner) || inner.startsWith(opener))) return false;
    if (trim === 'all') waiting = inner;
    else if (trim === 'own-line' && mayBeOwnLine.test(waiting)) return false;
    else if (trim === 'line-breaks') waiting = waiting.replace(/^\r?\n/, '');
    return true;
  };
  return (chunk) => {
    waiting += chunk;
    isBegun ||= start();
    if (!isBegun) return;
    // An incomplete tag and the line break before it.
    let end = waiting.length - tag - 2;
    if (trim === 'all') end = waiting.slice(0, Math.max(0, end)).trimEnd().length;
    if (end <= 0) return;
    watch.text(waiting.slice(0, end));
    waiting = waiting.slice(end);
  };
}
