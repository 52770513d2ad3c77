import { ToolkitError } from '../toolkit-error.ts';
import { defineResource, defaultUri, type ReadyResource, type ResourceDetails } from './define-resource.ts';

/**
 * Makes a resource of text; type `text/plain` unless told otherwise, URI `text:name`.
 * @throws ToolkitError `BAD_PARAMETER` for a name or URI that can't be used.
 */
export function text(name: string, content: string, details: ResourceDetails = {}): ReadyResource<string> {
  if (typeof content !== 'string')
    throw new ToolkitError('BAD_PARAMETER', `text(name, text): the text must be a string, not ${typeof content}`);
  return defineResource(name, content, {
    ...details,
    uri: details.uri ?? defaultUri('text', name),
    type: details.type ?? 'text/plain',
  });
}
