import {
  failure,
  success,
  toolError,
  type ContentPart,
  type Resource,
  type ResultExtras,
  type ToolResult,
} from '@haft/core';
import { cleanText, type Fence } from '@haft/sandbox';
import { cleanLine } from '../../untrusted/clean-text.ts';
import { createServerFence, type ServerFence } from '../../untrusted/fence.ts';

/** Context of a result. */
export interface ResultOrigin {
  readonly callId: string;
  readonly connection: string;
  /** Registered name of the tool. */
  readonly tool: string;
  /** Name of the tool on the server. For programs, never for the model. */
  readonly remoteTool: string;
  /** Reads a resource that a result links to. */
  readResource(uri: string, signal?: AbortSignal): Promise<Uint8Array | string>;
  /** Validates structured content against the output schema. Resolves to a note if it does not match. */
  checkStructured(value: unknown): Promise<string | undefined>;
  /** Redacts the connection's secrets from the text of an error. */
  redact(text: string): string;
  /** Whether a mismatch with the output schema fails the call. */
  readonly rejectsInvalid: boolean;
}

/** An unchecked content block. */
export type Block = Readonly<Record<string, unknown>>;

/**
 * Converts a server's result: text is fenced as untrusted, images and audio become bytes, resources become resources. A
 * result with `isError` becomes a failure with the code `REMOTE_ERROR`.
 */
export function toToolResult(result: unknown, origin: ResultOrigin): ToolResult | Promise<ToolResult> {
  const { connection } = origin;
  const answer = (typeof result === 'object' && result !== null ? result : {}) as Block;
  const { content, structuredContent } = answer;
  const fence = createServerFence(connection);
  // Error text often repeats what was sent.
  const resultFence: Pick<Fence, 'wrap'> =
    answer['isError'] === true ? { wrap: (text) => fence.wrap(origin.redact(text)) } : fence;
  const parts = Array.isArray(content)
    ? (content as readonly Block[]).flatMap((block) => toParts(block, resultFence, origin))
    : [];
  if (structuredContent === undefined) return describeAnswer(answer, parts, advisoriesFor(parts, fence), origin);
  return withStructure(answer, parts, fence, origin, resultFence);
}

async function withStructure(
  answer: Block,
  parts: ContentPart[],
  fence: ServerFence,
  origin: ResultOrigin,
  resultFence: Pick<Fence, 'wrap'>,
): Promise<ToolResult> {
  const { value, text } = readStructured(answer['structuredContent']);
  if (parts.length === 0 && text !== undefined) parts.push(fencedText(resultFence, text));
  const advisories = advisoriesFor(parts, fence);
  const remark = text === undefined ? unreadable : await check(origin, value);
  if (remark !== undefined) advisories.push(remark);
  if (remark !== undefined && origin.rejectsInvalid && answer['isError'] !== true) {
    const { callId, connection, tool } = origin;
    const message = `the tool ${tool} of the MCP server ${connection} returned a result that does not match its output schema`;
    return failure(callId, toolError('REMOTE_ERROR', message), {
      metadata: { connection, remoteTool: origin.remoteTool, trusted: false },
      advisories: advisories,
      content: parts,
    });
  }
  return describeAnswer(answer, parts, advisories, origin, text === undefined ? {} : { structured: value });
}

/** Returns the note that explains the fences, if any text is fenced. */
function advisoriesFor(parts: readonly ContentPart[], fence: ServerFence): string[] {
  return parts.some((part) => part.type === 'text') ? [fence.remark] : [];
}

function describeAnswer(
  answer: Block,
  content: readonly ContentPart[],
  advisories: readonly string[],
  { callId, connection, tool, remoteTool }: ResultOrigin,
  more: Pick<ResultExtras, 'structured'> = {},
): ToolResult {
  const extras: ResultExtras = { metadata: { connection, remoteTool, trusted: false }, advisories, ...more };
  if (answer['isError'] !== true) return success(callId, content, extras);
  const error = toolError('REMOTE_ERROR', `the tool ${tool} of the MCP server ${connection} reported an error`);
  return failure(callId, error, { ...extras, content });
}

async function check(origin: ResultOrigin, structured: unknown): Promise<string | undefined> {
  try {
    return await origin.checkStructured(structured);
  } catch {
    return 'the structured content of this result could not be validated';
  }
}

const unreadable = 'the structured content of this result could not be read';

/** Returns the structured content and its JSON. The JSON is undefined if the content is too deep to serialize. */
function readStructured(value: unknown): { readonly value: unknown; readonly text: string | undefined } {
  try {
    return { value, text: JSON.stringify(value) };
  } catch {
    return { value, text: undefined };
  }
}

/** Converts a content block. */
export function toParts(
  block: Block,
  fence: Pick<Fence, 'wrap'>,
  origin: Pick<ResultOrigin, 'readResource'>,
): ContentPart[] {
  const type = block['type'];
  if (type === 'text') return [fencedText(fence, String(block['text']))];
  if (type === 'image' || type === 'audio') {
    return [{ type, data: bytesOf(block['data']), mediaType: mediaTypeOf(block['mimeType']) }];
  }
  if (type === 'resource_link') return [{ type: 'resource', resource: linkedResource(block, origin) }];
  if (type === 'resource') return embedded(block['resource'] as Block, fence);
  return [];
}

/** Converts an embedded resource. Text and images are shown; other bytes can be read from the resource part. */
function embedded(resource: Block, fence: Pick<Fence, 'wrap'>): ContentPart[] {
  const { text, blob } = resource;
  const mediaType = mediaTypeOf(resource['mimeType']);
  const uri = safeUri(String(resource['uri']));
  if (typeof text === 'string') {
    const part: ContentPart = {
      type: 'resource',
      resource: { uri, name: nameOf(resource, uri), type: mediaType, read: () => cleanText(text) },
    };
    return [part, fencedText(fence, text)];
  }
  const data = bytesOf(blob);
  if (mediaType.startsWith('image/')) return [{ type: 'image', data, mediaType }];
  return [{ type: 'resource', resource: { uri, name: nameOf(resource, uri), type: mediaType, read: () => data } }];
}

function linkedResource(block: Block, origin: Pick<ResultOrigin, 'readResource'>): Resource {
  const uri = String(block['uri']);
  const shownUri = safeUri(uri);
  const description = block['description'];
  return {
    uri: shownUri,
    name: nameOf(block, shownUri),
    type: mediaTypeOf(block['mimeType'], ''),
    ...(typeof description === 'string' ? { description: cleanLine(description, 1_000) } : {}),
    read: (signal) => origin.readResource(uri, signal) as Promise<string>,
  };
}

function fencedText(fence: Pick<Fence, 'wrap'>, text: string): ContentPart {
  return { type: 'text', text: fence.wrap(cleanText(text)) };
}

function nameOf(block: Block, fallback: string): string {
  const { name } = block;
  return typeof name === 'string' && name !== '' ? cleanLine(name, 200) : fallback;
}

/** Encodes a URI for display outside of fences: no blanks, brackets or line breaks, at most 512 characters. */
function safeUri(uri: string): string {
  return cleanText(uri)
    .replace(/[\s<>()[\]{}"'`\\]/g, (character) =>
      encodeURIComponent(character).replace(/[()'[\]]/g, (rest) => `%${rest.codePointAt(0)!.toString(16)}`),
    )
    .slice(0, 512);
}

/** Returns a known media type without parameters, because it is shown outside of fences. */
export function mediaTypeOf(value: unknown, fallback = 'application/octet-stream'): string {
  const found = typeof value === 'string' ? mediaType.exec(value.slice(0, 1_000)) : null;
  return found ? found[1]!.toLowerCase() : fallback;
}

const mediaType =
  /^\s*((?:application|audio|example|font|haptics|image|message|model|multipart|text|video)\/[a-z0-9][\w.+-]{0,80})\s*(?:;|$)/i;

/** Decodes base64. */
export function bytesOf(base64: unknown): Uint8Array {
  return typeof base64 === 'string' ? new Uint8Array(Buffer.from(base64, 'base64')) : new Uint8Array();
}
