type Signature = readonly [type: string, bytes: readonly (number | undefined)[], at?: number];

const any = undefined;
/** First bytes that a format begins with. */
const signatures: readonly Signature[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46, any, any, any, any, 0x57, 0x45, 0x42, 0x50]],
  ['image/bmp', [0x42, 0x4d, any, any, any, any, 0, 0, 0, 0]],
  ['image/tiff', [0x49, 0x49, 0x2a, 0x00]],
  ['image/tiff', [0x4d, 0x4d, 0x00, 0x2a]],
  ['audio/wav', [0x52, 0x49, 0x46, 0x46, any, any, any, any, 0x57, 0x41, 0x56, 0x45]],
  ['audio/mpeg', [0x49, 0x44, 0x33]],
  ['audio/ogg', [0x4f, 0x67, 0x67, 0x53]],
  ['audio/flac', [0x66, 0x4c, 0x61, 0x43]],
  ['video/mp4', [0x66, 0x74, 0x79, 0x70], 4],
  ['video/webm', [0x1a, 0x45, 0xdf, 0xa3]],
  ['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['application/zip', [0x50, 0x4b, 0x03, 0x04]],
  ['application/gzip', [0x1f, 0x8b]],
  ['application/wasm', [0x00, 0x61, 0x73, 0x6d]],
];

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

/** The media type that the first bytes of a format say; `undefined` for text and for what is not known. */
export function sniffBinaryType(bytes: Uint8Array, name: string): string | undefined {
  const found = signatures.find(([, expected, at = 0]) =>
    expected.every((byte, index) => byte === undefined || bytes[at + index] === byte),
  )?.[0];
  // Many formats are a zip with a certain content: there the extension says more.
  return found === 'application/zip' ? (byExtension(binaryTypes, name) ?? found) : found;
}

/** The media type of text: by how it begins, else by the extension of its name, else `text/plain`. */
export function sniffTextType(content: string, name: string): string {
  const start = content.slice(0, 512).trimStart().toLowerCase();
  if (/^<!doctype html|^<html[\s>]/.test(start)) return 'text/html';
  const named = byExtension(textTypes, name);
  if (named !== undefined) return named;
  if (start.startsWith('<svg')) return 'image/svg+xml';
  if (start.startsWith('<?xml')) return 'application/xml';
  return 'text/plain';
}

/** Whether content of this type is read as text. */
export function isTextType(type: string): boolean {
  return /^text\/|[/+](?:json|jsonl|xml|yaml|javascript)(?:\s*;|$)/i.test(type);
}

function byExtension(types: Readonly<Record<string, string>>, name: string): string | undefined {
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(types, extension) ? types[extension] : undefined;
}
