import { describeCause } from '@haft/core/results';
import { ToolkitError } from '../toolkit-error.ts';
import { defineResource, defaultUri, type ReadyResource, type ResourceDetails } from './define-resource.ts';

/**
 * Makes a resource of a value, as it is now: the JSON text is written at once. Type `application/json`, URI `json:name`.
 * @throws ToolkitError `BAD_PARAMETER` for what JSON can't carry, and for a name or URI that can't be used.
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
    throw new ToolkitError('BAD_PARAMETER', `json: ${name} can't be written as JSON: ${describeCause(cause)}`, {
      cause,
    });
  }
  if (written === undefined)
    throw new ToolkitError('BAD_PARAMETER', `json: ${name} must be a value that JSON has, not ${typeof value}`);
  return written;
}
