import { randomUUID } from 'node:crypto';
import { replaceFenceTags } from './fence-tags.ts';

/** A pair of tags for text of an unknown author. */
export interface Fence {
  /** The name of both tags, without angle brackets. */
  readonly tag: string;
  /** Wraps a text in the tags. Imitations of a tag inside the text are replaced. */
  wrap(text: string): string;
}

/**
 * Creates tags with a random number that the author of the text could not know, so that the text cannot close them.
 * Explain the tags to the model next to the text.
 *
 * @param key - 16 hexadecimal digits instead of random ones, for tags that must stay the same.
 */
export function createFence(key?: string): Fence {
  // Node generates UUIDs in bulk, at a twentieth of the cost of a system call. The selected 64 bits are random.
  const id = key ?? randomUUID();
  const tag = `untrusted-${id.slice(0, 8)}${id.slice(-8)}`;
  return { tag, wrap: (text) => `<${tag}>\n${replaceFenceTags(text)}\n</${tag}>` };
}
