import { APICallError } from '@ai-sdk/provider';
import { excerptBody } from './excerpt-response-body.ts';
import { ModelFailure } from './model-failure.ts';

/** Statuses caused by this program's request or key. Retrying can't help. */
const hostStatuses: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 413, 422]);

/** Matches temporary failures in the `code` or `type` of an error inside a stream. */
const temporary = /overload|rate.?limit|too.?many|server.?error|unavailable|timeout|internal/i;

/** Converts an error that a provider threw or sent. */
export function asModelFailure(error: unknown): unknown {
  if (error instanceof ModelFailure || isAbort(error)) return error;
  if (APICallError.isInstance(error)) return fromApiCall(error);
  // Any other error while reading a stream (a cut connection, an invalid event) may be temporary.
  if (error instanceof Error) return new ModelFailure(error.message, { retryable: true }, error);
  return fromVendorObject(error);
}

function fromApiCall(error: APICallError): ModelFailure {
  const { statusCode, responseHeaders = {}, isRetryable } = error;
  const retryAfterMs = readRetryAfter(responseHeaders, Date.now());
  const details = {
    ...(statusCode !== undefined && { status: statusCode }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  const isHostFault = statusCode !== undefined && hostStatuses.has(statusCode);
  return new ModelFailure(
    describeApiCall(error),
    { retryable: isRetryable, details, ...(isHostFault && { fault: 'host' }) },
    error,
  );
}

function describeApiCall({ statusCode, message, responseBody, cause }: APICallError): string {
  if (statusCode === undefined) return describeNoResponse(message, innermost(cause));
  // The SDK reports a successful response that could not be read to its end.
  if (statusCode < 300) return `the response was cut off or could not be read: ${innermost(cause)?.message ?? message}`;
  const excerpt = excerptBody(responseBody);
  const isIncluded = excerpt === '' || responseBody?.includes(message) === true;
  return `HTTP ${statusCode}: ${message}${isIncluded ? '' : `: ${excerpt}`}`;
}

/** Codes of connections that were closed after they had been established. */
const closedCodes: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** The SDK says "Cannot connect" also for a connection that the server closed. */
function describeNoResponse(message: string, cause: Error | undefined): string {
  const isClosed = cause !== undefined && 'code' in cause && closedCodes.has(cause.code);
  return isClosed ? `the connection was closed before the response began: ${cause.message}` : message;
}

function innermost(cause: unknown, depth = 0): Error | undefined {
  if (!(cause instanceof Error)) return undefined;
  return (depth < 5 ? innermost(cause.cause, depth + 1) : undefined) ?? cause;
}

/** Matches content types of model APIs. */
const modelTypes = /event-?stream|json|octet-stream|protobuf|grpc/i;

/**
 * Replaces a failure without any events by one about the content type, if that is not the type of a model API. Retrying
 * would not help. Other failures are returned unchanged.
 */
export function explainContentType(failure: unknown, contentType: string | undefined): unknown {
  if (isAbort(failure) || contentType === undefined || modelTypes.test(contentType)) return failure;
  const type = contentType.split(';', 1)[0]!.trim();
  return new ModelFailure(
    `the server returned ${type} instead of an event stream or JSON; this does not look like an OpenAI-compatible API, so check the URL`,
    { retryable: false, fault: 'host', details: { contentType: type } },
    failure,
  );
}

function fromVendorObject(error: unknown): ModelFailure {
  if (typeof error !== 'object' || error === null) return new ModelFailure(String(error), { retryable: false }, error);
  const { message, code, type } = error as {
    readonly message?: unknown;
    readonly code?: unknown;
    readonly type?: unknown;
  };
  const kind = [code, type].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
  const status = typeof code === 'number' ? code : undefined;
  const retryable = temporary.test(kind) || (status !== undefined && (status === 429 || status >= 500));
  const text = typeof message === 'string' ? message : (JSON.stringify(error) ?? 'unknown error').slice(0, 500);
  return new ModelFailure(text, { retryable, details: kind === '' ? {} : { kind } }, error);
}

/** Reads the requested delay in milliseconds from `retry-after-ms`, or `retry-after` in seconds or as a date. */
function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  const asked = headers['retry-after'];
  if (asked === undefined) return undefined;
  const seconds = Number(asked);
  if (asked.trim() !== '' && Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined;
  const date = Date.parse(asked);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
