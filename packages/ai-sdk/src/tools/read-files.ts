import type { ContentPart, Resource } from '@haft/core';
import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import { toBase64 } from '../messages/to-base64.ts';

/** A file as it stands in the result of a tool. */
export type FileContent = Extract<
  Extract<LanguageModelV4ToolResultOutput, { readonly type: 'content' }>['value'][number],
  { readonly type: 'file' }
>;

/** The most bytes of a file that goes to a model; vendors take no more of a request. */
const maxFileBytes = 10 * 1024 * 1024;
const readTimeoutMs = 30_000;

/** Tells whether a media type is one of those named: whole, such as `application/pdf`, or by a group, such as `text/*`. */
export function isNamedType(type: string, names: readonly string[]): boolean {
  const [plain = ''] = type.toLowerCase().split(';', 1);
  return names.some((name) => plain === name || (name.endsWith('/*') && plain.startsWith(name.slice(0, -1))));
}

/**
 * Reads the resources of a result whose media types are named. What can't be read in time, or is too large, is left out: the text
 * of the result names it all the same.
 */
export async function readFiles(
  content: readonly ContentPart[],
  types: readonly string[],
): Promise<readonly FileContent[]> {
  const named = content.flatMap((part) => {
    const isFile =
      part.type === 'resource' && typeof part.resource.read === 'function' && isNamedType(part.resource.type, types);
    return isFile ? [part.resource] : [];
  });
  const files = await Promise.all(named.map(readFile));
  return files.filter((file) => file !== undefined);
}

async function readFile(resource: Resource): Promise<FileContent | undefined> {
  const late = AbortSignal.timeout(readTimeoutMs);
  const tooLate = new Promise<undefined>((resolve) => {
    late.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  try {
    const held = await Promise.race([resource.read(late), tooLate]);
    if (held === undefined || (typeof held === 'string' ? held.length : held.byteLength) > maxFileBytes)
      return undefined;
    const data =
      typeof held === 'string'
        ? ({ type: 'text', text: held } as const)
        : ({ type: 'data', data: toBase64(held) } as const);
    return { type: 'file', data, mediaType: resource.type, filename: resource.name };
  } catch {
    return undefined;
  }
}
