import { toolError, type ErrorCode, type ToolError } from '@haft/core';
import type { FetchedResponse, SandboxErrorCode, SandboxFailure } from '@haft/sandbox';

const codes: Partial<Record<SandboxErrorCode, ErrorCode>> = {
  URL_REFUSED: 'PERMISSION_DENIED',
  HOST_NOT_FOUND: 'NOT_FOUND',
  TOO_MANY_REDIRECTS: 'REMOTE_ERROR',
  RESPONSE_TOO_LARGE: 'FILE_TOO_LARGE',
  FETCH_TIMEOUT: 'TIMEOUT',
  FETCH_ABORTED: 'ABORTED',
};

/** Converts a fetch failure into a tool error. Never reveals internal host names or addresses. */
export function toFetchError(failure: SandboxFailure, url: URL): ToolError {
  const isRefused = failure.code === 'URL_REFUSED';
  const message = `can't fetch ${showUrl(url.href)}: ${lowerFirst(failure.message)}`;
  return toolError(codes[failure.code] ?? 'REMOTE_ERROR', message, {
    ...(failure.code === 'FETCH_FAILED' ? { retryable: true } : {}),
    hint: isRefused
      ? 'Fetch a public page that redirects only to public pages, use another source, or ask the user for the content.'
      : failure.hint,
    details: { url: url.href, sandboxCode: failure.code },
  });
}

/** Converts a response without a page into a tool error. */
export function toStatusError({ status, url, headers }: FetchedResponse, now: number): ToolError {
  const message = `${showUrl(url)} answered with status ${status}`;
  const details = { url, status };
  if (status === 404 || status === 410)
    return toolError('NOT_FOUND', `${message}: there is no such page`, {
      hint: 'Check the URL. Fetch the start page of the site, or search for where the page is now.',
      details,
    });
  if (status === 429 || status === 503) {
    const retryAfterMs = waitOf(headers['retry-after'], now);
    const when = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1_000)} s`;
    return toolError('RATE_LIMITED', `${message}: it accepts no more requests now`, {
      hint: `Call web_fetch again ${when}, or use another source.`,
      details: { ...details, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
    });
  }
  if (status === 401 || status === 403)
    return toolError('REMOTE_ERROR', `${message}: it is not public`, {
      hint: 'Use another source, or ask the user for the content.',
      details,
    });
  return toolError('REMOTE_ERROR', message, {
    retryable: status >= 500,
    hint: status >= 500 ? 'Try again later, or use another source.' : 'Check the URL, or use another source.',
    details,
  });
}

/** Parses `Retry-After`, which contains seconds or a date. */
function waitOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

const maxUrlLength = 300;

/** Returns a URL for a message. Very long URLs are truncated. */
export function showUrl(url: string): string {
  return url.length > maxUrlLength ? `${url.slice(0, maxUrlLength)}…` : url;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
