import type { Resource } from '@haft/core';
import { decodeText } from './decode-text.ts';

/** Reads a resource as text, whatever encoding its bytes have; `undefined` when they are no text. Rejects as `read` does. */
export async function readText(resource: Resource, signal?: AbortSignal): Promise<string | undefined> {
  const content = await resource.read(signal);
  return typeof content === 'string' ? content : decodeText(content);
}

/** Whether a resource says of itself that it is JSON. */
export function isJsonResource({ type }: Resource): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);
}
