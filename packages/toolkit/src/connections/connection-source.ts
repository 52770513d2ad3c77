import { showValue } from '@haft/core/options';
import type { ServerSource } from '@haft/mcp';
import { ToolkitError } from '../toolkit-error.ts';

/** A server to connect: an address, or server options for the connection manager of `@haft/mcp`. */
export type ConnectionSource = string | ServerSource;

/**
 * Returns the canonical form of a URL: without credentials, query, fragment and default port, with a lowercase host and
 * an unchanged path.
 * @throws ToolkitError `BAD_PARAMETER` if the value is not a web address.
 */
export function canonicalUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new ToolkitError(
      'BAD_PARAMETER',
      `a connection is not valid (expected a URL such as "https://example.com/mcp", got ${showValue(given)})`,
    );
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/**
 * Returns the address in the form of {@link canonicalUrl}, or undefined if the text is not a web address, such as a
 * command or a name.
 */
export function webAddressOf(text: string): string | undefined {
  return /^https?:/i.test(text) && URL.canParse(text) ? canonicalUrl(text) : undefined;
}

/**
 * Returns the address of a source, if it has one. An address with environment variables is known only after connecting.
 */
export function urlOf(source: ConnectionSource): string | undefined {
  const url = typeof source === 'string' ? source : source.url;
  if (url === undefined || (typeof source === 'object' && typeof url === 'string' && url.includes('${')))
    return undefined;
  return canonicalUrl(url);
}
