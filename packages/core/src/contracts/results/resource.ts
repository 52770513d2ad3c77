/**
 * A readable resource with a URI, a name and a media type. Tools can return resources, and prompts and tools can
 * receive them.
 */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  /** Media type such as `text/plain`. Empty if unknown. */
  readonly type: string;
  read(signal?: AbortSignal): Promise<Uint8Array> | Promise<string> | Uint8Array | string;
}

/**
 * Checks whether a value is a {@link Resource}.
 *
 * @example
 * import { isResource } from '@haft/core';
 * isResource({ uri: 'data:notes', name: 'notes', type: 'text/plain', read: () => 'milk' }); // => true
 * isResource({ uri: 'data:notes' }); // => false
 */
export function isResource(value: unknown): value is Resource {
  if (typeof value !== 'object' || value === null) return false;
  const candidate = value as Partial<Record<keyof Resource, unknown>>;
  return (
    typeof candidate.uri === 'string' &&
    typeof candidate.name === 'string' &&
    typeof candidate.type === 'string' &&
    typeof candidate.read === 'function'
  );
}
