import type { Resource } from '@haft/core';
import { checkUri } from './define-resource.ts';

/**
 * Returns a copy of the resource with another URI.
 *
 * @throws ToolkitError `BAD_PARAMETER` if the URI is not absolute.
 * @example
 * import { data, withUri } from '@haft/toolkit';
 * withUri(data('list.txt', new Uint8Array()), 'shop:/list').uri; // => 'shop:/list'
 */
export function withUri(resource: Resource, uri: string): Resource {
  checkUri(uri);
  return changed(resource, { uri });
}

/**
 * Returns a copy of the resource with another description.
 *
 * @example
 * import { data, withDescription } from '@haft/toolkit';
 * withDescription(data('list.txt', new Uint8Array()), 'What to buy').description; // => 'What to buy'
 */
export function withDescription(resource: Resource, description: string): Resource {
  return changed(resource, { description });
}

/** Copies the properties of a resource. `read` stays bound to the original object. */
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
