import { toolError, type ContentPart, type ToolError } from '@haft/core';
import { detectMediaType, isBinary, measureImage, type DetectedMedia } from '@haft/sandbox';
import { sizeBySharp, type ImageSizer, type SizedImage } from './image-sizer.ts';

/** A binary file and its names. */
export interface MediaFile {
  readonly data: Uint8Array;
  readonly media: DetectedMedia;
  /** The path in the form for models. */
  readonly shown: string;
  /** The URI for programs that read the content later. */
  readonly uri: string;
  readonly name: string;
}

/** The content part for the model, or why the file cannot be shown. */
export type PresentedMedia =
  | { readonly ok: true; readonly part: ContentPart; readonly note: string }
  | { readonly ok: false; readonly error: ToolError };

/** Maximum size of a media file that is read whole, in bytes. */
export const maxMediaBytes = 20_000_000;
/** Maximum size that model vendors accept. They receive images as base64. */
const maxImageBytes = 3_750_000;
const defaultMaxEdge = 2_000;
/** Vendors refuse larger images. */
const maxAcceptedEdge = 7_680;
const shownImages: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const playableAudioTypes: ReadonlySet<string> = new Set(['audio/wav', 'audio/mpeg']);

/** Returns the type of a media file. Text that begins like a media file is still text. */
export function detectMedia(head: Uint8Array): DetectedMedia | undefined {
  const media = detectMediaType(head);
  const isSure = media?.kind === 'image' || media?.mediaType === 'application/pdf' || isBinary(head);
  return isSure ? media : undefined;
}

/** Returns whether a content part can contain such a file. */
export function isPresentable({ kind, mediaType }: DetectedMedia): boolean {
  return kind === 'image' || kind === 'document' || playableAudioTypes.has(mediaType);
}

/** Creates a content part for an image, a sound or a document. Shrinks images that are too large. */
export async function presentMedia(file: MediaFile, sizer: ImageSizer = sizeBySharp): Promise<PresentedMedia> {
  const { data, media, shown, uri, name } = file;
  const { kind, mediaType } = media;
  const bytes = `${data.length} bytes`;
  if (kind === 'image') return presentImage(file, sizer);
  if (kind === 'audio' && playableAudioTypes.has(mediaType))
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
  // An image whose size cannot be read is damaged. A vendor would reject the whole conversation.
  if (isShown && !size) return { ok: false, error: unpresentable(file, 'the image is damaged') };
  const edge = size ? Math.max(size.width, size.height) : 0;
  if (isShown && edge <= defaultMaxEdge && data.length <= maxImageBytes)
    return present(shown, { data, mediaType, ...size });
  const limits = { maxEdge: defaultMaxEdge, maxBytes: maxImageBytes };
  const sized = await tryToSize(sizer, { data, mediaType, ...size }, limits);
  if ('data' in sized) {
    const before = size ? `${size.width}×${size.height}, ` : '';
    return present(shown, sized, ` (made of ${before}${data.length} bytes)`);
  }
  if (isShown && edge <= maxAcceptedEdge && data.length <= maxImageBytes)
    return present(shown, { data, mediaType, ...size });
  const why = isShown
    ? `the image is too large (${size!.width}×${size!.height}, ${data.length} bytes; at most ${maxAcceptedEdge} pixels and ${maxImageBytes} bytes), and ${sized.reason}`
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
    return { reason: 'it could not be made small enough' };
  } catch (error) {
    const code = (error as { readonly code?: unknown }).code;
    if (code === 'ERR_MODULE_NOT_FOUND')
      return { reason: 'nothing here can do that: the optional package sharp is not installed' };
    return { reason: 'it could not be read' };
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
  return toolError('BINARY_FILE', `${shown} can't be shown: ${why}`, {
    hint: 'Use bash with a program that knows the format, to inspect, convert or shrink it, then read its output.',
    details: { path: shown, mediaType: media.mediaType, bytes: data.length },
  });
}
