import type { Machine } from '../json/machine.ts';
import type { Source } from './envelope.ts';

// What ends a call, or the message around it: a closing tag, a special token, a fence.
const END = /(?:[\s,;}\])]|\\n)*(?:<[/|]|\[\/|```|<[\w-]+>)/y;

/**
 * Whether the closer of a value may belong to a string in it that was cut. A closing tag or fence behind it shows that the
 * model had come to the end of the call.
 */
export function isDoubtful({ text }: Source, machine: Machine): boolean {
  // A value that was read up to a closing tag has that behind it.
  if (!machine.hasDoubtfulEnd || machine.text.length < text.length) return false;
  END.lastIndex = machine.rootEnd;
  return !END.test(text);
}
