import type { ContentPart } from '../contracts/results/content.ts';
import type { JsonValue } from '../contracts/results/json.ts';
import type { Resource } from '../contracts/results/resource.ts';
import type { ArgumentReport, ToolResult } from '../contracts/results/result.ts';
import { describeCause } from '../describe-cause.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { jsonTextOf } from './json-text.ts';
import { readToolResult } from './read-result.ts';

/** A result as JSON: what {@link fromStoredResult} makes one of again, in this process or another. */
export interface StoredResult {
  /** Of this shape; there is one so far. */
  readonly version: 1;
  readonly [member: string]: JsonValue;
}

/** How results are stored. */
export interface StoreResultOptions {
  /** Resources up to this size are read and kept with the result; of larger ones there is only the address. Default 1 MiB. */
  readonly maxResourceBytes?: number;
}

/**
 * Makes JSON of a result. Bytes become base64; resources are read, once; of a thrown value only what it says is kept.
 * What JSON can't carry is left out of `metadata` and `details`. Nothing is masked: see `redactSecrets`.
 *
 * Rejects with a `TypeError` for a result that no dispatcher gave, one whose content or structure is no JSON.
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
 * Makes the result of what {@link toStoredResult} made of it: equal to the first, but for what JSON makes of values.
 * Reading a resource that was not kept rejects.
 *
 * @throws TypeError when the value is no stored result, with what is wrong with it.
 */
export function fromStoredResult(stored: unknown): ToolResult {
  if (typeof stored !== 'object' || stored === null) throw new TypeError('it is no stored result');
  const { version, callId, name, content, startedAt, durationMs, ...rest } = stored as Readonly<
    Record<string, unknown>
  >;
  if (version !== 1) throw new TypeError(`a stored result of version ${String(version)} can't be read; expected 1`);
  if (typeof callId !== 'string' || typeof name !== 'string') throw new TypeError('it names neither a call nor a tool');
  if (!Array.isArray(content)) throw new TypeError('its content is no list');
  const { arguments: report, ok } = rest;
  if (ok !== true && ok !== false) throw new TypeError('it says neither success nor failure');
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
    const body = await resource.read();
    if (body.length > maxBytes) return address;
    return { ...address, ...(typeof body === 'string' ? { text: body } : { base64: toBase64(body) }) };
  } catch {
    return address;
  }
}

function revivePart(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) throw new TypeError('a content part is none');
  const { type, mediaType, base64, resource } = part as Readonly<Record<string, unknown>>;
  if (type === 'image' || type === 'audio') return { type, mediaType, data: fromBase64(base64) };
  return type === 'resource' ? { type, resource: reviveResource(resource) } : part;
}

function reviveResource(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null) throw new TypeError('a resource part has no resource');
  const { text, base64, ...address } = stored as Readonly<Record<string, unknown>>;
  if (typeof text === 'string') return { ...address, read: () => text };
  if (base64 !== undefined) {
    const bytes = fromBase64(base64);
    return { ...address, read: () => bytes };
  }
  return {
    ...address,
    read: () => Promise.reject(new Error(`${String(address['uri'])} was not kept with the result`)),
  };
}

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The members of an object that JSON can carry, whatever the others are. */
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
