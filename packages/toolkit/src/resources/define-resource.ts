import type { Resource } from '@haft/core';
import { ToolkitError } from '../toolkit-error.ts';

/** Optional properties of a resource. */
export interface ResourceDetails {
  /** Absolute URI with a scheme; default built from the kind and the name, such as `text:notes`. */
  readonly uri?: string;
  readonly description?: string;
  /** Media type. */
  readonly type?: string;
}

/** A resource whose content is in memory. Reading it never waits and never fails. */
export interface ReadyResource<Content extends string | Uint8Array = string | Uint8Array> extends Resource {
  read(): Content;
}

const maxNameLength = 255;
const maxUriLength = 8_192;

/**
 * Creates a resource from content in memory.
 * @throws ToolkitError `BAD_PARAMETER` if the name or URI is invalid.
 */
export function defineResource<Content extends string | Uint8Array>(
  name: string,
  content: Content,
  details: ResourceDetails & { readonly uri: string; readonly type: string },
): ReadyResource<Content> {
  checkResourceName(name);
  checkUri(details.uri);
  const { uri, description, type } = details;
  return { uri, name, type, ...(description === undefined ? {} : { description }), read: () => content };
}

/**
 * Validates the name of a resource.
 * @throws ToolkitError `BAD_PARAMETER`.
 */
export function checkResourceName(name: unknown): void {
  // oxlint-disable-next-line no-control-regex
  const isRight =
    typeof name === 'string' && name !== '' && name.length <= maxNameLength && !/[\u0000-\u001f\u007f]/.test(name);
  if (isRight) return;
  throw new ToolkitError(
    'BAD_PARAMETER',
    `the resource name ${show(name)} must be 1 to ${maxNameLength} characters without control characters, such as "notes"`,
  );
}

/**
 * Validates the URI of a resource.
 * @throws ToolkitError `BAD_PARAMETER`.
 */
export function checkUri(uri: unknown): void {
  if (typeof uri === 'string' && uri.length <= maxUriLength && /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/.test(uri)) return;
  throw new ToolkitError(
    'BAD_PARAMETER',
    `the URI ${show(uri)} must be absolute, with a scheme and without blanks, such as "file:///notes.txt"`,
  );
}

/** Returns the default URI of a resource. */
export function defaultUri(scheme: string, name: string): string {
  checkResourceName(name);
  return `${scheme}:${encodeURIComponent(name).replaceAll('%2F', '/')}`;
}

function show(given: unknown): string {
  return typeof given === 'string' ? JSON.stringify(given.slice(0, 80)) : typeof given;
}
