import type { ContentPart } from '../contracts/results/content.ts';
import type { JsonValue } from '../contracts/results/json.ts';
import type { Resource } from '../contracts/results/resource.ts';
import type { ArgumentReport, ToolResult } from '../contracts/results/result.ts';
import { describeCause } from '../describe-cause.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { jsonTextOf } from './json-text.ts';
import { readToolResult } from './read-result.ts';

/** A result as JSON. {@link fromStoredResult} converts it back, in this process or another. */
export interface StoredResult {
  /** Version of the format. Always 1. */
  readonly version: 1;
  readonly [member: string]: JsonValue;
}

/** Options of {@link toStoredResult}. */
export interface StoreResultOptions {
  /**
   * Resources up to this size are read and stored with the result. For larger ones, only the URI is stored. Default: 1
   * MiB.
   */
  readonly maxResourceBytes?: number;
}

/**
 * Converts a result to JSON. Bytes become base64, resources are read once, and only the message of a thrown value is
 * kept. Omits members of `metadata` and `details` that JSON can't represent. Does not mask secrets: see
 * `redactSecrets`.
 *
 * Rejects with a `TypeError` if the value is not a dispatcher's result, or its content or structured value is not JSON.
 *
 * @example
 * import { success } from '@haft/core';
 * import { toStoredResult } from '@haft/core/results';
 * const stored = await toStoredResult(success('done'));
 * JSON.parse(JSON.stringify(stored)).ok; // => true
 */
export async function toStoredResult(result: ToolResult, options: StoreResultOptions = {}): Promise<StoredResult> {
  const { maxResourceBytes = 1024 * 1024 } = options;
  const { structured, metadata, arguments: report, ...rest } = result;
  const content = await Promise.all(result.content.map((part) => storePart(part, maxResourceBytes)));
  return toJson({
    version: 1,
    ...rest,
    content,
    ...(structured === undefined ? {} : { structured }),
    metadata: onlyJson(metadata),
    ...(report === undefined ? {} : { arguments: { ...report, ...onlyJson({ value: report.value }) } }),
    ...(result.ok ? {} : { error: storeError(result.error) }),
  }) as StoredResult;
}

/**
 * Restores the result from a value of {@link toStoredResult}. The result equals the original except for JSON
 * conversions. Reading a resource that was not stored rejects.
 *
 * @throws TypeError if the value is not a stored result. The message describes the problem.
 * @example
 * import { success } from '@haft/core';
 * import { fromStoredResult, toStoredResult } from '@haft/core/results';
 * const restored = fromStoredResult(await toStoredResult(success('done')));
 * restored.ok; // => true
 */
export function fromStoredResult(stored: unknown): ToolResult {
  if (typeof stored !== 'object' || stored === null) throw new TypeError('a stored result must be an object');
  const { version, callId, name, content, startedAt, durationMs, ...rest } = stored as Readonly<
    Record<string, unknown>
  >;
  if (version !== 1) throw new TypeError(`unknown version ${String(version)} of a stored result (expected 1)`);
  if (typeof callId !== 'string' || typeof name !== 'string')
    throw new TypeError('"callId" and "name" must be strings');
  if (!Array.isArray(content)) throw new TypeError('"content" must be an array');
  const { arguments: report, ok } = rest;
  if (ok !== true && ok !== false) throw new TypeError('"ok" must be a boolean');
  return {
    ...readToolResult(callId, { ...rest, content: content.map(revivePart) }),
    name,
    ...(report === undefined ? {} : { arguments: report as ArgumentReport }),
    startedAt: typeof startedAt === 'number' ? startedAt : 0,
    durationMs: typeof durationMs === 'number' ? durationMs : 0,
  };
}

type ResultError = (ToolResult & { readonly ok: false })['error'];

function storeError({ cause, details, ...error }: ResultError): object {
  return {
    ...error,
    ...(details === undefined ? {} : { details: onlyJson(details) }),
    ...(cause === undefined ? {} : { cause: describeCause(cause) }),
  };
}

async function storePart(part: ContentPart, maxBytes: number): Promise<unknown> {
  switch (part.type) {
    case 'json':
      return { type: part.type, value: JSON.parse(jsonTextOf(part)) as unknown };
    case 'image':
    case 'audio':
      return { type: part.type, mediaType: part.mediaType, base64: toBase64(part.data) };
    case 'resource':
      return { type: part.type, resource: await storeResource(part.resource, maxBytes) };
    default:
      return part;
  }
}

async function storeResource(resource: Resource, maxBytes: number): Promise<unknown> {
  const { uri, name, description, type } = resource;
  const address = { uri, name, ...(description === undefined ? {} : { description }), type };
  try {
    const content = await resource.read();
    if (content.length > maxBytes) return address;
    return { ...address, ...(typeof content === 'string' ? { text: content } : { base64: toBase64(content) }) };
  } catch {
    return address;
  }
}

function revivePart(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) throw new TypeError('a content part must be an object');
  const { type, mediaType, base64, resource } = part as Readonly<Record<string, unknown>>;
  if (type === 'image' || type === 'audio') return { type, mediaType, data: fromBase64(base64) };
  return type === 'resource' ? { type, resource: reviveResource(resource) } : part;
}

function reviveResource(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null)
    throw new TypeError('"resource" of a resource part must be a resource');
  const { text, base64, ...address } = stored as Readonly<Record<string, unknown>>;
  if (typeof text === 'string') return { ...address, read: () => text };
  if (base64 !== undefined) {
    const bytes = fromBase64(base64);
    return { ...address, read: () => bytes };
  }
  return {
    ...address,
    read: () => Promise.reject(new Error(`the content of ${String(address['uri'])} was not stored`)),
  };
}

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Returns the members of an object that JSON can represent. */
function onlyJson(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(given).flatMap(([key, value]): [string, unknown][] => {
    try {
      const text = JSON.stringify(value) as string | undefined;
      return text === undefined ? [] : [[key, JSON.parse(text)]];
    } catch {
      return [];
    }
  });
  return Object.fromEntries(entries);
}
