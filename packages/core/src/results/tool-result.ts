import type { ContentPart, JsonPart } from '../contracts/results/content.ts';
import type { ToolError } from '../contracts/results/error.ts';
import type { ToolFailure, ToolResult, ToolResultBase, ToolSuccess } from '../contracts/results/result.ts';
import type { ToolContent } from '../contracts/tools/tool.ts';
import { isResource } from '../contracts/results/resource.ts';
import { jsonTextOf } from './json-text.ts';
import { readPart, readToolResult } from './read-result.ts';

/** What may accompany a result besides its content. */
export type ResultExtras = Partial<Omit<ToolResultBase, 'callId' | 'content'>>;

const nothing: readonly never[] = Object.freeze([]);
const noMetadata: Readonly<Record<string, unknown>> = Object.freeze({});

/**
 * A success. `data` is for the model: sentences or numbered lines, never a dump.
 * The dispatcher stamps name and timing.
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

/** A failure, with its error and, in `extras.content`, whatever output there was all the same. */
export function failure(
  callId: string,
  error: ToolError,
  extras?: ResultExtras & { readonly content?: ToolContent },
): ToolFailure {
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

/** Tells whether a value is a result made by {@link success} or {@link failure}, here or in another process. */
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

/** Tells whether a value has what every tool error has. */
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

/** Makes content parts of text, one part or several. */
export function toParts(content: ToolContent | undefined): readonly ContentPart[] {
  if (content === undefined || content === '') return nothing;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as readonly ContentPart[]) : [content as ContentPart];
}

/** Items of a list; a hole counts, and takes as long to write. */
const maxListLength = 10_000_000;

const partTypes: ReadonlySet<unknown> = new Set(['text', 'json', 'image', 'audio', 'resource']);

/**
 * Makes a result of whatever a body returned: nothing, text, bytes, content parts, a resource, a result, or JSON.
 * A result is copied and what it leaves out filled in. Throws a `TypeError` for what nobody could be shown: a value
 * that JSON can't carry (a function, a symbol, a bigint, a cycle), a content part or an error that is none.
 */
export function wrapReturn(callId: string, value: unknown): ToolResult {
  if (value === undefined || value === null) return success(callId);
  if (typeof value === 'string') return success(callId, value);
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    throw new TypeError(`a tool returned a ${typeof value}, which no result can carry`);
  }
  if (value instanceof Map || value instanceof Set) {
    throw new TypeError('a tool returned a Map or a Set, which JSON would empty: return a list or an object');
  }
  if (isToolResult(value)) return readToolResult(callId, value);
  if (value instanceof Uint8Array) return success(callId, bytesToPart(callId, value));
  if (isResource(value)) return success(callId, { type: 'resource', resource: value });
  if (isPart(value)) return success(callId, readPart(value));
  if (Array.isArray(value) && value.length > maxListLength) {
    throw new TypeError('a tool returned a list that is longer than anybody reads');
  }
  if (Array.isArray(value) && value.length > 0 && value.every(isPart)) return success(callId, value.map(readPart));
  const part: JsonPart = { type: 'json', value };
  jsonTextOf(part);
  return success(callId, part, { structured: value });
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

/** First bytes of the media types that models can look at or listen to. */
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
