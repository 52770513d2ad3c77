import { toolError, type ContentPart, type ToolError } from '@haft/core';
import { detectMediaType, isBinary, measureImage, type DetectedMedia } from '@haft/sandbox';
import { sizeBySharp, type ImageSizer, type SizedImage } from './image-sizer.ts';

/** Bytes that are no text, and how they are called. */
export interface MediaFile {
  readonly data: Uint8Array;
  readonly media: DetectedMedia;
  /** As a model knows it. */
  readonly shown: string;
  /** For those who read it later. */
  readonly uri: string;
  readonly name: string;
}

/** What a model is given of it, or why nothing. */
export type PresentedMedia =
  | { readonly ok: true; readonly part: ContentPart; readonly note: string }
  | { readonly ok: false; readonly error: ToolError };

/** The largest file that is taken whole. */
export const mostMediaBytes = 20_000_000;
/** What vendors take of an image, which reaches them in base64. */
const mostImageBytes = 3_750_000;
const usualEdge = 2_000;
/** Beyond it vendors refuse. */
const longestEdge = 7_680;
const shownImages: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const heardSounds: ReadonlySet<string> = new Set(['audio/wav', 'audio/mpeg']);

/** The type of a file that is to be taken as what it is: text that happens to begin like something else stays text. */
export function detectMedia(head: Uint8Array): DetectedMedia | undefined {
  const media = detectMediaType(head);
  const isSure = media?.kind === 'image' || media?.mediaType === 'application/pdf' || isBinary(head);
  return isSure ? media : undefined;
}

/** Whether there is a part that can carry such a file to a model. */
export function isPresentable({ kind, mediaType }: DetectedMedia): boolean {
  return kind === 'image' || kind === 'document' || heardSounds.has(mediaType);
}

/** Makes a content part of an image, a sound or a document; an image that is too large is sized down. */
export async function presentMedia(file: MediaFile, sizer: ImageSizer = sizeBySharp): Promise<PresentedMedia> {
  const { data, media, shown, uri, name } = file;
  const { kind, mediaType } = media;
  const bytes = `${data.length} bytes`;
  if (kind === 'image') return presentImage(file, sizer);
  if (kind === 'audio' && heardSounds.has(mediaType))
    return { ok: true, part: { type: 'audio', data, mediaType }, note: `${shown}: ${mediaType}, ${bytes}` };
  if (kind === 'document') {
    const part: ContentPart = { type: 'resource', resource: { uri, name, type: mediaType, read: () => data } };
    return { ok: true, part, note: `${shown}: ${mediaType}, ${bytes}` };
  }
  return { ok: false, error: unpresentable(file, `${mediaType} can't be shown`) };
}

async function presentImage(file: MediaFile, sizer: ImageSizer): Promise<PresentedMedia> {
  const { data, shown } = file;
  const { mediaType } = file.media;
  const size = measureImage(data);
  const isShown = shownImages.has(mediaType);
  // One that says nothing of its size is damaged, and would end a conversation it is put into.
  if (isShown && !size) return { ok: false, error: unpresentable(file, 'the image is damaged') };
  const edge = size ? Math.max(size.width, size.height) : 0;
  if (isShown && edge <= usualEdge && data.length <= mostImageBytes)
    return present(shown, { data, mediaType, ...size });
  const limits = { maxEdge: usualEdge, maxBytes: mostImageBytes };
  const sized = await tryToSize(sizer, { data, mediaType, ...size }, limits);
  if ('data' in sized) {
    const before = size ? `${size.width}×${size.height}, ` : '';
    return present(shown, sized, ` (made of ${before}${data.length} bytes)`);
  }
  if (isShown && edge <= longestEdge && data.length <= mostImageBytes)
    return present(shown, { data, mediaType, ...size });
  const why = isShown
    ? `the image is too large (${size!.width}×${size!.height}, ${data.length} bytes; at most ${longestEdge} pixels and ${mostImageBytes} bytes), and ${sized.reason}`
    : `an image of the type ${mediaType} has to be converted, and ${sized.reason}`;
  return { ok: false, error: unpresentable(file, why) };
}

async function tryToSize(
  sizer: ImageSizer,
  image: SizedImage,
  limits: Parameters<ImageSizer>[1],
): Promise<SizedImage | { readonly reason: string }> {
  try {
    const sized = await sizer(image, limits);
    if (sized && sized.data.length <= limits.maxBytes && shownImages.has(sized.mediaType)) return sized;
    return { reason: 'it can not be made small enough' };
  } catch (error) {
    const code = (error as { readonly code?: unknown }).code;
    if (code === 'ERR_MODULE_NOT_FOUND')
      return { reason: 'nothing here can do that: the optional package sharp is not installed' };
    return { reason: 'it can not be read' };
  }
}

function present(shown: string, { data, mediaType, width, height }: SizedImage, more = ''): PresentedMedia {
  const size = width === undefined ? '' : `${width}×${height}, `;
  return {
    ok: true,
    part: { type: 'image', data, mediaType },
    note: `${shown}: ${mediaType}, ${size}${data.length} bytes${more}`,
  };
}

function unpresentable({ shown, data, media }: MediaFile, why: string): ToolError {
  return toolError('BINARY_FILE', `${shown} can't be given: ${why}`, {
    hint: 'Use bash with a program that knows the format, to look into it, convert it or make it smaller; then read what that makes.',
    details: { path: shown, mediaType: media.mediaType, bytes: data.length },
  });
}
