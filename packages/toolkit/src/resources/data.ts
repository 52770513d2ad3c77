import { decodeText } from './decode-text.ts';
import { defineResource, defaultUri, type ReadyResource, type ResourceDetails } from './define-resource.ts';
import { ToolkitError } from '../toolkit-error.ts';
import { isTextType, sniffBinaryType, sniffTextType } from './sniff-type.ts';

/**
 * Makes a resource of bytes. Without a `type` the first bytes tell what they are, then the extension of the name; text in
 * another encoding (a `charset` of the type, a byte order mark, UTF-16, Windows-1252) becomes UTF-8, so that reading gives
 * a string. URI `data:name`. The bytes are copied.
 *
 * @throws ToolkitError `BAD_PARAMETER` for what are no bytes, and for a name or URI that can't be used.
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
