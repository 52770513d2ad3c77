import { describeCause } from '@haft/core/results';
import { ToolkitError } from '../toolkit-error.ts';
import { defineResource, defaultUri, type ReadyResource, type ResourceDetails } from './define-resource.ts';

/**
 * Creates a resource from a snapshot of a value. The value is serialized immediately. The type is `application/json`,
 * the URI `json:name`.
 * @throws ToolkitError `BAD_PARAMETER` if the value cannot be serialized as JSON, or the name or URI is invalid.
 */
export function json(name: string, value: unknown, details: ResourceDetails = {}): ReadyResource<string> {
  return defineResource(name, writeJson(name, value), {
    ...details,
    uri: details.uri ?? defaultUri('json', name),
    type: details.type ?? 'application/json',
  });
}

function writeJson(name: string, value: unknown): string {
  let written: string | undefined;
  try {
    written = JSON.stringify(value);
  } catch (cause) {
    throw new ToolkitError('BAD_PARAMETER', `json: ${name} is not serializable as JSON: ${describeCause(cause)}`, {
      cause,
    });
  }
  if (written === undefined)
    throw new ToolkitError('BAD_PARAMETER', `json: ${name} is not valid (expected a JSON value, got ${typeof value})`);
  return written;
}
