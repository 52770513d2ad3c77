import { toolError, type ContentPart, type ToolError } from '@haft/core';
import { cleanText, isBinary, type FetchedResponse } from '@haft/sandbox';
import type { ImageSizer } from '../../files/media/image-sizer.ts';
import { detectMedia, isPresentable, presentMedia } from '../../files/media/present-media.ts';
import { decodePage } from './decode-fetched-page.ts';
import { showUrl } from './fetch-errors.ts';

/** The content of a page. */
export type ReadPage =
  | {
      readonly kind: 'text';
      readonly mediaType: string;
      readonly title: string;
      readonly text: string;
      readonly notes: readonly string[];
    }
  | { readonly kind: 'part'; readonly mediaType: string; readonly part: ContentPart; readonly note: string }
  | { readonly kind: 'unreadable'; readonly error: ToolError };

/** The output format of a page. */
export type PageFormat = 'markdown' | 'html';

/** Converts a response into content for the model: text, an image, audio, or a document. */
export async function readPage(
  response: FetchedResponse,
  format: PageFormat,
  signal: AbortSignal,
  images?: ImageSizer,
): Promise<ReadPage> {
  const { body, url, headers } = response;
  const contentType = headers['content-type'] ?? '';
  const media = detectMedia(body);
  if (media) {
    const { mediaType } = media;
    const file = { data: body, media, shown: showUrl(url), uri: url, name: nameOf(url) };
    const presented = isPresentable(media) ? await presentMedia(file, images) : undefined;
    if (presented?.ok === true) return { kind: 'part', mediaType, part: presented.part, note: presented.note };
    return { kind: 'unreadable', error: presented?.error ?? unreadable(url, mediaType, body.length) };
  }
  const announced = contentType.split(';')[0]!.trim().toLowerCase();
  if (isBinary(body) && !/charset\s*=\s*["']?utf-?16/i.test(contentType))
    return { kind: 'unreadable', error: unreadable(url, announced || 'application/octet-stream', body.length) };
  const source = decodePage(body, contentType);
  const isHtml =
    /^(?:text\/html|application\/xhtml\+xml)$/.test(announced) || (announced === '' && looksLikeHtml(source));
  const mediaType = isHtml ? 'text/html' : announced || 'text/plain';
  if (!isHtml || format === 'html') {
    const text = /\bjson$/.test(announced) ? spreadJson(source) : source;
    return { kind: 'text', mediaType, title: '', text: cleanText(text), notes: [] };
  }
  // Loaded only when a page is fetched.
  const { htmlToMarkdown } = await import('../../web/html/html-to-markdown.ts');
  const page = await htmlToMarkdown(source, { url, signal });
  const notes = [
    ...(page.isPartial ? ['Menus, headers and footers of the page are left out; format "html" gives its source.'] : []),
    ...(page.isCut ? ['The page is too long or nested too deeply, so its end is left out.'] : []),
    ...(page.markdown === '' && source.trim() !== ''
      ? ['The page has no text without its scripts. Look for a feed, an API or another source.']
      : []),
  ];
  return { kind: 'text', mediaType, title: cleanText(page.title), text: cleanText(page.markdown), notes };
}

function unreadable(url: string, mediaType: string, bytes: number): ToolError {
  return toolError('BINARY_FILE', `${showUrl(url)} is not text: ${mediaType.slice(0, 100)}, ${bytes} bytes`, {
    hint: 'Fetch a page about it instead, or download it with bash when that has a network.',
    details: { url, mediaType, bytes },
  });
}

function looksLikeHtml(text: string): boolean {
  return /^\s*(?:<!--[\s\S]{0,1000}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i.test(text.slice(0, 2_000));
}

/** Formats single-line JSON with one member per line, unless parsing would change it, for example large numbers. */
function spreadJson(text: string): string {
  const plain = text.trim();
  if (plain.includes('\n') || plain.length > 500_000) return text;
  try {
    const value: unknown = JSON.parse(plain);
    return JSON.stringify(value) === plain ? JSON.stringify(value, undefined, 2) : text;
  } catch {
    return text;
  }
}

function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').findLast((piece) => piece !== '');
  return last ?? new URL(url).hostname;
}
