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
  if (!Array.isArray(content)) throw new TypeError('its content is no list');
  if (!isMissing(metadata) && !isObject(metadata)) throw new TypeError('its metadata are no object');
  if (!isMissing(summary) && typeof summary !== 'string') throw new TypeError('its summary is no text');
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
  if (!isObject(error)) throw new TypeError('it is a failure without an error');
  return { ok: false, error: readToolError(error), ...base };
}

/** Reads one untrusted content part. Throws a `TypeError` if it is invalid. */
export function readPart(given: unknown): ContentPart {
  if (!isObject(given)) throw new TypeError('a content part is none');
  const part = { ...given } as Record<string, unknown>;
  switch (part['type']) {
    case 'text':
      if (typeof part['text'] !== 'string') throw new TypeError('a text part has no text');
      return part as unknown as TextPart;
    case 'json':
      jsonTextOf(part as unknown as JsonPart);
      return part as unknown as JsonPart;
    case 'image':
    case 'audio':
      if (!(part['data'] instanceof Uint8Array)) throw new TypeError(`an ${part['type']} part has no bytes`);
      if (typeof part['mediaType'] !== 'string') throw new TypeError(`an ${part['type']} part has no media type`);
      return part as unknown as ImagePart | AudioPart;
    case 'resource':
      if (!isResource(part['resource'])) throw new TypeError('a resource part has no resource');
      return part as unknown as ContentPart;
    default:
      throw new TypeError('a content part has no known type');
  }
}

function readEffect(given: unknown): Effect {
  if (!isObject(given)) throw new TypeError('an effect is none');
  const effect = { ...given } as Record<string, unknown>;
  const isFile = effect['kind'] === 'file' && typeof effect['path'] === 'string' && fileOperations.has(effect['op']);
  const isProcess = effect['kind'] === 'process' && typeof effect['command'] === 'string';
  if (!isFile && !isProcess) throw new TypeError('an effect is neither that of a file nor that of a process');
  return effect as unknown as Effect;
}

function readDiff(given: unknown): FileDiff {
  const diff = isObject(given) ? ({ ...given } as Partial<Record<keyof FileDiff, unknown>>) : {};
  if (typeof diff.path !== 'string' || typeof diff.patch !== 'string') throw new TypeError('its diff is none');
  return diff as FileDiff;
}

function readText(given: unknown): string {
  if (typeof given !== 'string') throw new TypeError('an advisory is no text');
  return given;
}

function readList<Item>(name: string, given: unknown, read: (item: unknown) => Item): readonly Item[] {
  if (isMissing(given)) return nothing;
  if (!Array.isArray(given)) throw new TypeError(`its ${name} are no list`);
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
