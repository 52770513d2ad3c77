import type { Resource } from '@haft/core';
import { decodeText } from './decode-text.ts';

/**
 * Reads a resource as text in any supported encoding. Returns undefined if the content is not text. Rejects with the
 * error of `read`.
 *
 * @example
 * import { data, readText } from '@haft/toolkit';
 * await readText(data('list.txt', new TextEncoder().encode('milk'))); // => 'milk'
 */
export async function readText(resource: Resource, signal?: AbortSignal): Promise<string | undefined> {
  const content = await resource.read(signal);
  return typeof content === 'string' ? content : decodeText(content);
}

/** Checks whether the media type of a resource is JSON. */
export function isJsonResource({ type }: Resource): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);
}
