import type { ContentPart, JsonPart } from '../contracts/results/content.ts';
import type { ToolError } from '../contracts/results/error.ts';
import type { ToolFailure, ToolResult, ToolResultBase, ToolSuccess } from '../contracts/results/result.ts';
import type { ToolContent } from '../contracts/tools/tool.ts';
import { isResource } from '../contracts/results/resource.ts';
import { describeCause } from '../describe-cause.ts';
import { checkOption } from '../options/check-options.ts';
import type { OptionKind } from '../options/option-kind.ts';
import { custom } from '../options/option-kinds.ts';
import { jsonTextOf } from './json-text.ts';
import { readPart, readToolResult } from './read-result.ts';
import { toolError } from './tool-error.ts';

/** Optional members of a result besides its content. */
export type ResultExtras = Partial<Omit<ToolResultBase, 'callId' | 'content'>>;

const nothing: readonly never[] = Object.freeze([]);
const noMetadata: Readonly<Record<string, unknown>> = Object.freeze({});

/**
 * Creates a success. `data` is for the model: prefer sentences or numbered lines over a raw dump. The dispatcher adds
 * the name and timing.
 */
export function success(callId: string, data?: ToolContent, extras?: ResultExtras): ToolSuccess {
  const plain: ToolSuccess = {
    ok: true,
    callId,
    name: '',
    content: toParts(data),
    effects: nothing,
    metadata: noMetadata,
    advisories: nothing,
    startedAt: 0,
    durationMs: 0,
  };
  return extras === undefined ? plain : { ...plain, ...extras };
}

const errorKind: OptionKind<ToolError> = custom(
  "a tool error, such as toolError('NOT_FOUND', 'there is no such order') creates",
  isToolError,
);

/**
 * Creates a failure with its error. `extras.content` holds any partial output.
 * @throws HaftError `INVALID_OPTION` if `error` is not a tool error, such as a string or an `Error`.
 */
export function failure(
  callId: string,
  error: ToolError,
  extras?: ResultExtras & { readonly content?: ToolContent },
): ToolFailure {
  checkOption('failure', 'error', error, errorKind);
  return {
    ok: false,
    callId,
    name: '',
    error,
    effects: nothing,
    metadata: noMetadata,
    advisories: nothing,
    startedAt: 0,
    durationMs: 0,
    ...extras,
    content: toParts(extras?.content),
  };
}

/**
 * Checks whether a value is a result created by {@link success} or {@link failure}, in this process or another.
 *
 * @example
 * import { isToolResult, success } from '@haft/core';
 * isToolResult(success('done')); // => true
 * isToolResult('done'); // => false
 */
export function isToolResult(value: unknown): value is ToolResult {
  if (typeof value !== 'object' || value === null) return false;
  const candidate = value as {
    readonly ok?: unknown;
    readonly callId?: unknown;
    readonly content?: unknown;
    readonly error?: unknown;
  };
  if (typeof candidate.callId !== 'string' || !Array.isArray(candidate.content)) return false;
  return candidate.ok === true || (candidate.ok === false && isToolError(candidate.error));
}

/**
 * Checks whether a value has the required members of a tool error.
 *
 * @example
 * import { isToolError, validation } from '@haft/core';
 * isToolError(validation('reading', 'the range is empty')); // => true
 * isToolError(new Error('no')); // => false
 */
export function isToolError(value: unknown): value is ToolError {
  if (typeof value !== 'object' || value === null) return false;
  const candidate = value as Partial<Record<keyof ToolError, unknown>>;
  return (
    typeof candidate.code === 'string' &&
    typeof candidate.message === 'string' &&
    typeof candidate.fault === 'string' &&
    typeof candidate.retryable === 'boolean'
  );
}

/**
 * Converts text, one part or several parts into content parts.
 *
 * @example
 * import { toParts } from '@haft/core/results';
 * toParts('done'); // => [{ type: 'text', text: 'done' }]
 */
export function toParts(content: ToolContent | undefined): readonly ContentPart[] {
  if (content === undefined || content === '') return nothing;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as readonly ContentPart[]) : [content as ContentPart];
}

/** Maximum length of an array. Holes count, because serializing them takes as long. */
const maxListLength = 10_000_000;

const partTypes: ReadonlySet<unknown> = new Set(['text', 'json', 'image', 'audio', 'resource']);

/**
 * Converts the return value of a body into a result: nothing, text, bytes, content parts, a resource, a result or JSON.
 * A result is copied, and its missing members are filled in. Throws a `TypeError` for a value that JSON can't represent
 * (a function, a symbol, a bigint, a cycle), and for an invalid content part or error.
 */
export function wrapReturn(callId: string, value: unknown): ToolResult {
  if (value === undefined || value === null) return success(callId);
  if (typeof value === 'string') return success(callId, value);
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    throw new TypeError(`a tool returned a ${typeof value}, which a result can't contain`);
  }
  if (value instanceof Map || value instanceof Set) {
    throw new TypeError("a tool returned a Map or a Set, which JSON can't represent: return an array or an object");
  }
  if (isToolResult(value)) return readToolResult(callId, value);
  if (value instanceof Uint8Array) return success(callId, bytesToPart(callId, value));
  if (isResource(value)) return success(callId, { type: 'resource', resource: value });
  if (isPart(value)) return success(callId, readPart(value));
  if (Array.isArray(value) && value.length > maxListLength) {
    throw new TypeError(`a tool returned an array of more than ${maxListLength} items`);
  }
  if (Array.isArray(value) && value.length > 0 && value.every(isPart)) return success(callId, value.map(readPart));
  const part: JsonPart = { type: 'json', value };
  jsonTextOf(part);
  return success(callId, part, { structured: value });
}

/** Like {@link wrapReturn}, but an invalid value becomes a failure with the code `OUTPUT_INVALID`. */
export function readReturned(callId: string, toolName: string, value: unknown): ToolResult {
  try {
    return wrapReturn(callId, value);
  } catch (cause) {
    const message = `${toolName} returned an invalid result: ${describeCause(cause)}`;
    return failure(callId, toolError('OUTPUT_INVALID', message, { cause }));
  }
}

function isPart(value: unknown): value is ContentPart {
  if (typeof value !== 'object' || value === null) return false;
  const part = value as Partial<Record<'type' | 'text' | 'data' | 'resource', unknown>>;
  if (!partTypes.has(part.type)) return false;
  if (part.type === 'text') return typeof part.text === 'string' && Object.keys(value).length === 2;
  if (part.type === 'json') return 'value' in value && Object.keys(value).length === 2;
  if (part.type === 'resource') return isResource(part.resource);
  return part.data instanceof Uint8Array;
}

/** Magic numbers of the media types that models support. */
const signatures: readonly (readonly [
  type: 'image' | 'audio',
  mediaType: string,
  bytes: readonly number[],
  at: number,
])[] = [
  ['image', 'image/png', [0x89, 0x50, 0x4e, 0x47], 0],
  ['image', 'image/jpeg', [0xff, 0xd8, 0xff], 0],
  ['image', 'image/gif', [0x47, 0x49, 0x46, 0x38], 0],
  ['image', 'image/webp', [0x57, 0x45, 0x42, 0x50], 8],
  ['audio', 'audio/wav', [0x57, 0x41, 0x56, 0x45], 8],
  ['audio', 'audio/mpeg', [0x49, 0x44, 0x33], 0],
  ['audio', 'audio/ogg', [0x4f, 0x67, 0x67, 0x53], 0],
];

function bytesToPart(callId: string, data: Uint8Array): ContentPart {
  for (const [type, mediaType, bytes, at] of signatures) {
    if (bytes.every((byte, index) => data[at + index] === byte)) return { type, data, mediaType };
  }
  const resource = { uri: `data:${callId}`, name: callId, type: 'application/octet-stream', read: () => data };
  return { type: 'resource', resource };
}
