import { ToolkitError } from '../toolkit-error.ts';
import { defineResource, defaultUri, type ReadyResource, type ResourceDetails } from './define-resource.ts';

/**
 * Creates a resource from text. The default type is `text/plain`, the default URI `text:name`.
 * @throws ToolkitError `BAD_PARAMETER` if the name or URI is invalid.
 */
export function text(name: string, content: string, details: ResourceDetails = {}): ReadyResource<string> {
  if (typeof content !== 'string')
    throw new ToolkitError(
      'BAD_PARAMETER',
      `text(name, text): text is not valid (expected a string, got ${typeof content})`,
    );
  return defineResource(name, content, {
    ...details,
    uri: details.uri ?? defaultUri('text', name),
    type: details.type ?? 'text/plain',
  });
}
