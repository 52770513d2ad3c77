import { detectMediaType } from '@haft/sandbox';

const textTypes: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  js: 'text/javascript',
  mjs: 'text/javascript',
  ts: 'text/x-typescript',
  json: 'application/json',
  jsonl: 'application/jsonl',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  xml: 'application/xml',
  svg: 'image/svg+xml',
};
const binaryTypes: Readonly<Record<string, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  epub: 'application/epub+zip',
  jar: 'application/java-archive',
};

/** Text formats that are recognized by their first bytes. */
const writtenTypes: ReadonlySet<string> = new Set(['application/rtf', 'application/postscript']);

/** Detects the media type of a binary format from its first bytes. Returns undefined for text and unknown formats. */
export function sniffBinaryType(bytes: Uint8Array, name: string): string | undefined {
  const found = detectMediaType(bytes)?.mediaType;
  if (found === undefined || writtenTypes.has(found)) return undefined;
  // Many formats are zip archives with specific content. For these, the extension is more precise.
  return found === 'application/zip' ? (byExtension(binaryTypes, name) ?? found) : found;
}

/** Detects the media type of text from its beginning, else from the extension. Defaults to `text/plain`. */
export function sniffTextType(content: string, name: string): string {
  const start = content.slice(0, 512).trimStart().toLowerCase();
  if (/^<!doctype html|^<html[\s>]/.test(start)) return 'text/html';
  const named = byExtension(textTypes, name);
  if (named !== undefined) return named;
  if (start.startsWith('<svg')) return 'image/svg+xml';
  if (start.startsWith('<?xml')) return 'application/xml';
  return 'text/plain';
}

/** Checks whether content of this type is read as text. */
export function isTextType(type: string): boolean {
  return /^text\/|[/+](?:json|jsonl|xml|yaml|javascript)(?:\s*;|$)/i.test(type);
}

function byExtension(types: Readonly<Record<string, string>>, name: string): string | undefined {
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(types, extension) ? types[extension] : undefined;
}
