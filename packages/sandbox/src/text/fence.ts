import { randomUUID } from 'node:crypto';
import { replaceFenceTags } from './fence-tags.ts';

/** Marks around text of an unknown author. */
export interface Fence {
  /** What stands between the angle brackets of both marks. */
  readonly tag: string;
  /** Puts the marks around a text. What looks like such a mark inside it is replaced. */
  wrap(text: string): string;
}

/**
 * Makes marks for one answer. They hold a random number that the author of the text could not know, so that nothing in it can
 * end them; say beside the text what they mean.
 *
 * @param key 16 hexadecimal digits instead of the random ones, for marks that have to stay the same.
 */
export function createFence(key?: string): Fence {
  // Node draws these in bulk, at a twentieth of the time that a call of the system takes; these 64 bits are random.
  const id = key ?? randomUUID();
  const tag = `untrusted-${id.slice(0, 8)}${id.slice(-8)}`;
  return { tag, wrap: (text) => `<${tag}>\n${replaceFenceTags(text)}\n</${tag}>` };
}
