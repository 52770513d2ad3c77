import { createNetworkGuard, type Dial, type GuardedFetchOptions, type NetworkGuard } from '@haft/sandbox';
import type { ToolContext } from '@haft/core';

/** How the tools of this package reach the web. */
export interface WebAccess {
  /** Which URLs may be fetched. Default: those of the public network. */
  readonly guard?: NetworkGuard;
  /** Sent as `user-agent`. Default `haft`. */
  readonly userAgent?: string;
  /** For one fetch, redirects and body included. Default 30,000 milliseconds. */
  readonly timeoutMs?: number;
  /** The most bytes of one answer, decompressed. Default 5,000,000. */
  readonly maxBytes?: number;
  /** Milliseconds during which a page that was fetched is not asked for again. Default 900,000; 0: it always is. */
  readonly cacheTtlMs?: number;
  /** Opens connections, for a proxy or a test; gets addresses that were checked. */
  readonly dial?: Dial;
  /** Certificates in PEM that are trusted instead of the usual ones. */
  readonly ca?: string;
}

const defaultGuard = createNetworkGuard();
/** Left of a call's time to say what came of it. */
const windUpMs = 250;

/** What a fetch on behalf of a call is bounded by. */
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
