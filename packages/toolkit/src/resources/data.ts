import { decodeText } from './decode-text.ts';
import { defineResource, defaultUri, type ReadyResource, type ResourceDetails } from './define-resource.ts';
import { ToolkitError } from '../toolkit-error.ts';
import { isTextType, sniffBinaryType, sniffTextType } from './sniff-type.ts';

/**
 * Creates a resource from bytes. Without `type`, the media type is detected from the first bytes, then from the file
 * extension. Text in another encoding (from a `charset` parameter, a byte order mark, UTF-16 or Windows-1252) is
 * converted to UTF-8, so that reading returns a string. The URI is `data:name`. The bytes are copied.
 *
 * @throws ToolkitError `BAD_PARAMETER` if the content is not bytes, or the name or URI is invalid.
 * @example
 * import { data } from '@haft/toolkit';
 * data('notes.txt', new TextEncoder().encode('milk')).type; // => 'text/plain'
 */
export function data(name: string, bytes: Uint8Array, details: ResourceDetails = {}): ReadyResource {
  if (!(bytes instanceof Uint8Array)) throw new ToolkitError('BAD_PARAMETER', `data: ${name} must be a Uint8Array`);
  const uri = details.uri ?? defaultUri('data', name);
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)"?/i.exec(details.type ?? '')?.[1];
  const given = details.type?.replace(/;\s*charset\s*=\s*"?[\w.:-]+"?/i, '').trim();
  const isText = given !== undefined && isTextType(given);
  const binary = isText || charset !== undefined ? undefined : (given ?? sniffBinaryType(bytes, name));
  const content = binary === undefined ? decodeText(bytes, charset) : undefined;
  if (content === undefined)
    return defineResource(name, Uint8Array.from(bytes), {
      ...details,
      uri,
      type: binary ?? given ?? 'application/octet-stream',
    });
  return defineResource(name, content, { ...details, uri, type: given ?? sniffTextType(content, name) });
}
