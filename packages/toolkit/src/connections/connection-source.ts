import { showValue } from '@haft/core/options';
import type { ServerSource } from '@haft/mcp';
import { ToolkitError } from '../toolkit-error.ts';

/** A server to connect: its address, or what a connection manager of `@haft/mcp` takes. */
export type ConnectionSource = string | ServerSource;

/**
 * The address that a URL means: without user, query, fragment and the usual port, the host in lower case, the path as it is.
 * @throws ToolkitError `BAD_PARAMETER` for what is no address of the web.
 */
export function canonicalUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new ToolkitError(
      'BAD_PARAMETER',
      `a connection needs an address such as "https://example.com/mcp", not ${showValue(given)}`,
    );
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** The address that a text means, as {@link canonicalUrl} writes it; nothing for a command, a name, or what else is none. */
export function webAddressOf(text: string): string | undefined {
  return /^https?:/i.test(text) && URL.canParse(text) ? canonicalUrl(text) : undefined;
}

/** The address of a source, when it has one; one that the environment completes is known once it is connected. */
export function urlOf(source: ConnectionSource): string | undefined {
  const url = typeof source === 'string' ? source : source.url;
  if (url === undefined || (typeof source === 'object' && typeof url === 'string' && url.includes('${')))
    return undefined;
  return canonicalUrl(url);
}
