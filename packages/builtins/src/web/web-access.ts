import { createNetworkGuard, type Dial, type GuardedFetchOptions, type NetworkGuard } from '@haft/sandbox';
import type { ToolContext } from '@haft/core';

/** How the tools access the web. */
export interface WebAccess {
  /** Which URLs may be fetched. Default: those of the public network. */
  readonly guard?: NetworkGuard;
  /** The `user-agent` header. Default `haft`. */
  readonly userAgent?: string;
  /** Time limit of one fetch including redirects and body, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  /** Maximum size of a decompressed response, in bytes. Default 5,000,000. */
  readonly maxBytes?: number;
  /** How long a fetched page stays in the cache, in milliseconds. Default 900,000; 0 disables the cache. */
  readonly cacheTtlMs?: number;
  /** Opens connections, for a proxy or a test; receives checked addresses. */
  readonly dial?: Dial;
  /** Certificates in PEM to trust instead of the default ones. */
  readonly ca?: string;
}

const defaultGuard = createNetworkGuard();
/** Time reserved at the end of a call to report the outcome, in milliseconds. */
const windUpMs = 250;

/** Returns the limits of a fetch for a call. */
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
