import type { Resource } from '@haft/core';
import { checkUri } from './define-resource.ts';

/**
 * The same resource under another URI.
 * @throws ToolkitError `BAD_PARAMETER` for a URI that is not absolute.
 */
export function withUri(resource: Resource, uri: string): Resource {
  checkUri(uri);
  return changed(resource, { uri });
}

/** The same resource with another description. */
export function withDescription(resource: Resource, description: string): Resource {
  return changed(resource, { description });
}

/** Copies what a resource says of itself; `read` stays that of the object it belongs to. */
function changed(resource: Resource, change: Partial<Resource>): Resource {
  const { uri, name, description, type } = resource;
  return {
    uri,
    name,
    type,
    ...(description === undefined ? {} : { description }),
    ...change,
    read: (signal) => resource.read(signal),
  };
}
