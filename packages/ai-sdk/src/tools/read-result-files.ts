import type { ContentPart, Resource } from '@haft/core';
import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import { toBase64 } from '../messages/to-base64.ts';

/** A file in the result of a tool. */
export type FileContent = Extract<
  Extract<LanguageModelV4ToolResultOutput, { readonly type: 'content' }>['value'][number],
  { readonly type: 'file' }
>;

/** Maximum bytes of a file for a model. Vendors limit the size of requests. */
const maxFileBytes = 10 * 1024 * 1024;
const readTimeoutMs = 30_000;

/**
 * Returns whether a media type matches one of the names: in full, such as `application/pdf`, or by group, such as
 * `text/*`.
 */
export function matchesType(type: string, names: readonly string[]): boolean {
  const [essence = ''] = type.toLowerCase().split(';', 1);
  return names.some((name) => essence === name || (name.endsWith('/*') && essence.startsWith(name.slice(0, -1))));
}

/**
 * Reads the resources of a result whose media types match. A resource that fails, is too slow or too large is skipped;
 * the text of the result still names it.
 */
export async function readFiles(
  content: readonly ContentPart[],
  types: readonly string[],
): Promise<readonly FileContent[]> {
  const named = content.flatMap((part) => {
    const isFile =
      part.type === 'resource' && typeof part.resource.read === 'function' && matchesType(part.resource.type, types);
    return isFile ? [part.resource] : [];
  });
  const files = await Promise.all(named.map(readFile));
  return files.filter((file) => file !== undefined);
}

async function readFile(resource: Resource): Promise<FileContent | undefined> {
  const timeout = AbortSignal.timeout(readTimeoutMs);
  const timedOut = new Promise<undefined>((resolve) => {
    timeout.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  try {
    const body = await Promise.race([resource.read(timeout), timedOut]);
    if (body === undefined || (typeof body === 'string' ? body.length : body.byteLength) > maxFileBytes)
      return undefined;
    const data =
      typeof body === 'string'
        ? ({ type: 'text', text: body } as const)
        : ({ type: 'data', data: toBase64(body) } as const);
    return { type: 'file', data, mediaType: resource.type, filename: resource.name };
  } catch {
    return undefined;
  }
}
