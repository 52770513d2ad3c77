/**
 * Anything with a URI, a name, a media type and a way to read it.
 * Tools may return one; prompts and tools may be given some.
 */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  /** Media type such as `text/plain`; empty when unknown. */
  readonly type: string;
  read(signal?: AbortSignal): Promise<Uint8Array> | Promise<string> | Uint8Array | string;
}

/** Tells whether a value can be used as a {@link Resource}. */
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
