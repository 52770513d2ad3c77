import { toolError, type ToolContext, type ToolError } from '@haft/core';
import { guardedFetch, type FetchedResponse, type NetworkGuard, type SandboxFailure } from '@haft/sandbox';
import { fetchOptionsOf, type WebAccess } from '../../web/web-access.ts';
import { toFetchError } from './fetch-errors.ts';
import { mayBeKept, revalidationOf, type PageCache } from './fetched-page-cache.ts';

/** The outcome of a request. */
export interface LoadedPage {
  readonly ok: true;
  readonly response: FetchedResponse;
  /** Whether the page came from the cache and is current. */
  readonly isCached: boolean;
}

const defaultCacheMs = 900_000;

/** Fetches a page or returns it from the cache. Asks for permission for every other host in the redirects. */
export async function loadPage(
  url: URL,
  context: ToolContext,
  access: WebAccess,
  cache: PageCache,
): Promise<LoadedPage | { readonly ok: false; readonly error: ToolError }> {
  const { cacheTtlMs = defaultCacheMs } = access;
  const address = addressOf(url);
  const watch = watchHosts(url, context);
  const known = cacheTtlMs > 0 ? cache.get(address) : undefined;
  if (known && context.now() - known.checkedAt < cacheTtlMs) {
    // The redirects of a cached page need permission too.
    for (const hop of [...known.response.redirects, known.response.url]) {
      const denied = await watch.ask(new URL(hop));
      if (denied) return { ok: false, error: denied };
    }
    return { ok: true, response: known.response, isCached: true };
  }
  const options = fetchOptionsOf(access, context);
  const response = await guardedFetch(url, {
    ...options,
    guard: watch.guard(options.guard),
    headers: { ...options.headers, accept: acceptedTypes, ...(known ? revalidationOf(known.response) : {}) },
  });
  if (watch.denied) return { ok: false, error: watch.denied };
  if (!response.ok) return { ok: false, error: toFetchError(response, url) };
  if (response.status === 304 && known) {
    const current = { ...known.response, url: response.url, redirects: response.redirects };
    cache.set(address, { response: current, checkedAt: context.now() });
    return { ok: true, response: current, isCached: true };
  }
  if (cacheTtlMs > 0 && mayBeKept(response)) cache.set(address, { response, checkedAt: context.now() });
  return { ok: true, response, isCached: false };
}

const acceptedTypes = 'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5';

/** Returns the URL of a page without its fragment. */
function addressOf(url: URL): string {
  const plain = new URL(url);
  plain.hash = '';
  return plain.href;
}

/** Asks for permission for hosts that the call did not name. */
function watchHosts(named: URL, context: ToolContext) {
  const allowed = new Set([named.host]);
  let denied: ToolError | undefined;
  const ask = async (url: URL): Promise<ToolError | undefined> => {
    if (allowed.has(url.host)) return undefined;
    const decision = await context.permission.ask({
      title: `Follow a redirect from ${named.host} to ${url.host}`,
      footprint: { reads: [`host:${url.hostname}`], writes: [] },
      arguments: { url: url.href },
    });
    if (decision.action === 'allow') {
      allowed.add(url.host);
      return undefined;
    }
    return toolError('PERMISSION_DENIED', `${named.host} redirects to ${url.host}, which this call may not fetch`, {
      denial: decision.denial,
    });
  };
  return {
    ask,
    get denied() {
      return denied;
    },
    guard: (guard: NetworkGuard): NetworkGuard => ({
      async check(given) {
        const target = await guard.check(given);
        if (!target.ok) return target;
        denied = await ask(target.url);
        return denied ? refusal : target;
      },
    }),
  };
}

const refusal: SandboxFailure = { ok: false, code: 'URL_REFUSED', message: 'The redirect is denied', hint: '' };
