import type { AudioPart, ContentPart, ImagePart, JsonPart, TextPart } from '../contracts/results/content.ts';
import type { Effect, FileDiff } from '../contracts/results/effect.ts';
import { isResource } from '../contracts/results/resource.ts';
import type { ToolResult, ToolResultBase } from '../contracts/results/result.ts';
import { jsonTextOf } from './json-text.ts';
import { readToolError } from './read-error.ts';

const nothing: readonly never[] = Object.freeze([]);
const noMetadata: Readonly<Record<string, unknown>> = Object.freeze({});
const fileOperations: ReadonlySet<unknown> = new Set(['read', 'create', 'modify', 'append', 'delete', 'rename']);

/**
 * Reads an untrusted result: each member once, into a new object that is safe to render and to serialize as JSON. Fills
 * in missing members. Throws a `TypeError` that names the invalid member, or what an accessor throws.
 */
export function readToolResult(callId: string, given: object): ToolResult {
  const read = given as Partial<Record<keyof ToolResult | 'error', unknown>>;
  const { ok, content, effects, metadata, advisories, summary, diff, structured } = read;
  if (!Array.isArray(content)) throw new TypeError('"content" must be an array');
  if (!isMissing(metadata) && !isObject(metadata)) throw new TypeError('"metadata" must be an object');
  if (!isMissing(summary) && typeof summary !== 'string') throw new TypeError('"summary" must be a string');
  const base: ToolResultBase = {
    callId,
    name: '',
    content: readList('content', content, readPart),
    ...(isMissing(summary) ? {} : { summary }),
    ...(isMissing(diff) ? {} : { diff: readDiff(diff) }),
    ...(structured === undefined ? {} : { structured }),
    effects: readList('effects', effects, readEffect),
    metadata: (metadata ?? noMetadata) as Readonly<Record<string, unknown>>,
    advisories: readList('advisories', advisories, readText),
    startedAt: 0,
    durationMs: 0,
  };
  if (ok === true) return { ok, ...base };
  const { error } = read;
  if (!isObject(error)) throw new TypeError('a failure needs an "error" object');
  return { ok: false, error: readToolError(error), ...base };
}

/** Reads one untrusted content part. Throws a `TypeError` if it is invalid. */
export function readPart(given: unknown): ContentPart {
  if (!isObject(given)) throw new TypeError('a content part must be an object');
  const part = { ...given } as Record<string, unknown>;
  switch (part['type']) {
    case 'text':
      if (typeof part['text'] !== 'string') throw new TypeError('"text" of a text part must be a string');
      return part as unknown as TextPart;
    case 'json':
      jsonTextOf(part as unknown as JsonPart);
      return part as unknown as JsonPart;
    case 'image':
    case 'audio':
      if (!(part['data'] instanceof Uint8Array))
        throw new TypeError(`"data" of an ${part['type']} part must be a Uint8Array`);
      if (typeof part['mediaType'] !== 'string')
        throw new TypeError(`"mediaType" of an ${part['type']} part must be a string`);
      return part as unknown as ImagePart | AudioPart;
    case 'resource':
      if (!isResource(part['resource'])) throw new TypeError('"resource" of a resource part must be a resource');
      return part as unknown as ContentPart;
    default:
      throw new TypeError('"type" of a content part must be "text", "json", "image", "audio" or "resource"');
  }
}

function readEffect(given: unknown): Effect {
  if (!isObject(given)) throw new TypeError('an effect must be an object');
  const effect = { ...given } as Record<string, unknown>;
  const isFile = effect['kind'] === 'file' && typeof effect['path'] === 'string' && fileOperations.has(effect['op']);
  const isProcess = effect['kind'] === 'process' && typeof effect['command'] === 'string';
  if (!isFile && !isProcess)
    throw new TypeError('an effect must be { kind: "file", op, path } or { kind: "process", command }');
  return effect as unknown as Effect;
}

function readDiff(given: unknown): FileDiff {
  const diff = isObject(given) ? ({ ...given } as Partial<Record<keyof FileDiff, unknown>>) : {};
  if (typeof diff.path !== 'string' || typeof diff.patch !== 'string')
    throw new TypeError('"diff" must be { path, patch }');
  return diff as FileDiff;
}

function readText(given: unknown): string {
  if (typeof given !== 'string') throw new TypeError('an advisory must be a string');
  return given;
}

function readList<Item>(name: string, given: unknown, read: (item: unknown) => Item): readonly Item[] {
  if (isMissing(given)) return nothing;
  if (!Array.isArray(given)) throw new TypeError(`"${name}" must be an array`);
  const { length } = given;
  if (length === 0) return nothing;
  const items: Item[] = [];
  for (let index = 0; index < length; index += 1) items.push(read((given as readonly unknown[])[index]));
  return items;
}

/** JSON turns missing values into `null`. */
function isMissing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
