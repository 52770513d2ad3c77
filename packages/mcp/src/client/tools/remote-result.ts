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

/** Where a result comes from. */
export interface ResultOrigin {
  readonly callId: string;
  readonly connection: string;
  /** The name that the model knows. */
  readonly tool: string;
  /** What the server calls it: for programs, never for the model. */
  readonly remoteTool: string;
  /** Reads a resource that a result only links to. */
  readResource(uri: string, signal?: AbortSignal): Promise<Uint8Array | string>;
  /** Checks structured content against what the tool promised; a remark when it does not fit. */
  checkStructured(value: unknown): Promise<string | undefined>;
  /** Takes the secrets of the connection out of the words of an error. */
  redact(text: string): string;
  /** Whether an answer that does not fit is a failure. */
  readonly rejectsInvalid: boolean;
}

/** A block of content, as it came. */
export type Block = Readonly<Record<string, unknown>>;

/**
 * Makes a result of what a server answered: text fenced as untrusted, images and sounds as bytes, resources as resources.
 * An answer that says `isError` becomes a failure with the code `REMOTE_ERROR`.
 */
export function toToolResult(result: unknown, origin: ResultOrigin): ToolResult | Promise<ToolResult> {
  const { connection } = origin;
  const answer = (typeof result === 'object' && result !== null ? result : {}) as Block;
  const { content, structuredContent } = answer;
  const fence = createServerFence(connection);
  // What went wrong is often told with what was sent.
  const shown: Pick<Fence, 'wrap'> =
    answer['isError'] === true ? { wrap: (text) => fence.wrap(origin.redact(text)) } : fence;
  const parts = Array.isArray(content)
    ? (content as readonly Block[]).flatMap((block) => toParts(block, shown, origin))
    : [];
  if (structuredContent === undefined) return describeAnswer(answer, parts, advisoriesFor(parts, fence), origin);
  return withStructure(answer, parts, fence, origin, shown);
}

async function withStructure(
  answer: Block,
  parts: ContentPart[],
  fence: ServerFence,
  origin: ResultOrigin,
  shown: Pick<Fence, 'wrap'>,
): Promise<ToolResult> {
  const { value, text } = readStructured(answer['structuredContent']);
  if (parts.length === 0 && text !== undefined) parts.push(fencedText(shown, text));
  const advisories = advisoriesFor(parts, fence);
  const remark = text === undefined ? unreadable : await check(origin, value);
  if (remark !== undefined) advisories.push(remark);
  if (remark !== undefined && origin.rejectsInvalid && answer['isError'] !== true) {
    const { callId, connection, tool } = origin;
    const message = `the tool ${tool} of the MCP server ${connection} answered what does not fit its own output schema`;
    return failure(callId, toolError('REMOTE_ERROR', message), {
      metadata: { connection, remoteTool: origin.remoteTool, trusted: false },
      advisories: advisories,
      content: parts,
    });
  }
  return describeAnswer(answer, parts, advisories, origin, text === undefined ? {} : { structured: value });
}

/** Text stands between marks, which are explained beside it. */
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
    return 'the structured part of this answer could not be compared with what the tool promised';
  }
}

const unreadable = 'the structured part of this answer could not be read';

/** The structured part with its text, which is missing when it is nested too deeply for that. */
function readStructured(value: unknown): { readonly value: unknown; readonly text: string | undefined } {
  try {
    return { value, text: JSON.stringify(value) };
  } catch {
    return { value, text: undefined };
  }
}

/** Reads a block of content. */
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

/** An embedded text is shown, an embedded image too; other bytes can be read from the resource part. */
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
  const shown = safeUri(uri);
  const description = block['description'];
  return {
    uri: shown,
    name: nameOf(block, shown),
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

/** A URI is shown to the model outside of any fence: no blanks, no brackets, no line ends, and not for ever. */
function safeUri(uri: string): string {
  return cleanText(uri)
    .replace(/[\s<>()[\]{}"'`\\]/g, (character) =>
      encodeURIComponent(character).replace(/[()'[\]]/g, (rest) => `%${rest.codePointAt(0)!.toString(16)}`),
    )
    .slice(0, 512);
}

/** Shown outside of any fence, so that it is a known kind and one word, without parameters. */
export function mediaTypeOf(value: unknown, fallback = 'application/octet-stream'): string {
  const found = typeof value === 'string' ? mediaType.exec(value.slice(0, 1_000)) : null;
  return found ? found[1]!.toLowerCase() : fallback;
}

const mediaType =
  /^\s*((?:application|audio|example|font|haptics|image|message|model|multipart|text|video)\/[a-z0-9][\w.+-]{0,80})\s*(?:;|$)/i;

/** The bytes that a text in base64 stands for. */
export function bytesOf(base64: unknown): Uint8Array {
  return typeof base64 === 'string' ? new Uint8Array(Buffer.from(base64, 'base64')) : new Uint8Array();
}
