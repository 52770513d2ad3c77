import { createNetworkGuard, type Dial, type GuardedFetchOptions, type NetworkGuard } from '@haft/sandbox';
import type { ToolContext } from '@haft/core';

/** How the tools of this package reach the web. */
export interface WebAccess {
  /** Which URLs may be fetched. Default: those of the public network. */
  readonly guard?: NetworkGuard;
  /** Sent as `user-agent`. Default `haft`. */
  readonly userAgent?: string;
  /** The time limit of one fetch with redirects and body. Default 30,000 milliseconds. */
  readonly timeoutMs?: number;
  /** The maximum size of a decompressed response. Default 5,000,000 bytes. */
  readonly maxBytes?: number;
  /** How long a fetched page is served from the cache. Default 900,000 milliseconds; 0 always fetches. */
  readonly cacheTtlMs?: number;
  /** Opens connections, for a proxy or a test; receives checked addresses. */
  readonly dial?: Dial;
  /** Certificates in PEM to trust instead of the default ones. */
  readonly ca?: string;
}

const defaultGuard = createNetworkGuard();
/** Reserved at the end of a call to report the outcome. */
const windUpMs = 250;

/** The limits of a fetch on behalf of a call. */
export function fetchOptionsOf(
  access: WebAccess,
  context: ToolContext,
): GuardedFetchOptions & { readonly guard: NetworkGuard } {
  const left = context.deadline - context.now() - windUpMs;
  return {
    guard: access.guard ?? defaultGuard,
    signal: context.signal,
    timeoutMs: Math.max(1, Math.min(access.timeoutMs ?? 30_000, left)),
    maxBytes: access.maxBytes ?? 5_000_000,
    headers: { 'user-agent': access.userAgent ?? 'haft' },
    ...(access.dial ? { dial: access.dial } : {}),
    ...(access.ca === undefined ? {} : { ca: access.ca }),
  };
}
