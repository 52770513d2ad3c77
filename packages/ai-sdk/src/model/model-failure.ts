import { APICallError } from '@ai-sdk/provider';
import { errorCodes, redactText, type Fault, type ToolError } from '@haft/core';
import { excerptBody } from './body-excerpt.ts';

/** What {@link ModelFailure} says besides its message. */
interface FailureFacts {
  readonly retryable: boolean;
  readonly fault?: Fault;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Thrown by the stream of an {@link aiSdkModel} when the provider fails. It has the members of a `ToolError` with code
 * `MODEL_FAILED`, so that a loop can tell whether to try again: `retryable`, `details.status`, and in
 * `details.retryAfterMs` how long the vendor asked to wait. The provider's own error is the `cause`.
 */
export class ModelFailure extends Error implements ToolError {
  override readonly name = 'ModelFailure';
  readonly code = 'MODEL_FAILED' as const;
  readonly fault: Fault;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, facts: FailureFacts, cause: unknown) {
    // Vendors repeat the key that they refuse, and a message is logged and shown.
    super(redactText(message), { cause });
    this.fault = facts.fault ?? errorCodes.MODEL_FAILED.fault;
    this.retryable = facts.retryable;
    this.details = facts.details ?? {};
  }
}

/** Statuses that say that this program's request or key is wrong: trying again can't help, and the world isn't to blame. */
const ours: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 413, 422]);

/** Words by which vendors name failures that pass, in the `code` or `type` of an error inside a stream. */
const passing = /overload|rate.?limit|too.?many|server.?error|unavailable|timeout|internal/i;

/** Reads what a provider threw or sent as an error. */
export function asModelFailure(error: unknown): unknown {
  if (error instanceof ModelFailure || isAbort(error)) return error;
  if (APICallError.isInstance(error)) return fromApiCall(error);
  // Whatever else is thrown while a stream is read (a cut connection, text that is no event) may well pass.
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
  const isOurs = statusCode !== undefined && ours.has(statusCode);
  return new ModelFailure(
    describeApiCall(error),
    { retryable: isRetryable, details, ...(isOurs && { fault: 'host' }) },
    error,
  );
}

function describeApiCall({ statusCode, message, responseBody, cause }: APICallError): string {
  if (statusCode === undefined) return message;
  // The SDK's own words for an answer that began well and could not be read to its end.
  if (statusCode < 300) return `the answer was cut off or could not be read: ${deepest(cause) ?? message}`;
  const excerpt = excerptBody(responseBody);
  const isSaid = excerpt === '' || responseBody?.includes(message) === true;
  return `HTTP ${statusCode}: ${message}${isSaid ? '' : `: ${excerpt}`}`;
}

/** What was behind an error, at the very bottom. */
function deepest(cause: unknown, depth = 0): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return (depth < 5 ? deepest(cause.cause, depth + 1) : undefined) ?? cause.message;
}

/** What speaks for a model when nothing of the answer could be used; other types are web pages and the like. */
const usable = /event-?stream|json|octet-stream|protobuf|grpc/i;

/**
 * Makes a failure out of one in which nothing at all was told, when the answer was of a type that no model speaks: trying
 * again would bring the same. Anything else stays what it is.
 */
export function asWrongType(failure: unknown, contentType: string | undefined): unknown {
  if (isAbort(failure) || contentType === undefined || usable.test(contentType)) return failure;
  const type = contentType.split(';', 1)[0]!.trim();
  return new ModelFailure(
    `the server answered ${type}, neither an event stream nor JSON: this does not look like an OpenAI-compatible API, or that of any model; check the address`,
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
  const retryable = passing.test(kind) || (status !== undefined && (status === 429 || status >= 500));
  const text = typeof message === 'string' ? message : (JSON.stringify(error) ?? 'unknown error').slice(0, 500);
  return new ModelFailure(text, { retryable, details: kind === '' ? {} : { kind } }, error);
}

/** Milliseconds asked for by `retry-after-ms`, or `retry-after` in seconds or as a date. */
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
