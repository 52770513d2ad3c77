/** The size of an image, in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the stored size of a PNG, JPEG, GIF or WebP image from its first bytes, without decoding it. Returns undefined
 * for other formats and invalid headers.
 *
 * @example
 * import { measureImage } from '@haft/sandbox';
 * measureImage(new Uint8Array([1, 2, 3])); // => undefined
 */
export function measureImage(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = measurePng(view) ?? measureGif(view) ?? measureWebp(view) ?? measureJpeg(view);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

function measurePng(view: DataView): ImageSize | undefined {
  if (!hasText(view, 0, '\x89PNG\r\n\x1A\n') || !hasText(view, 12, 'IHDR') || view.byteLength < 24) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function measureGif(view: DataView): ImageSize | undefined {
  if (!hasText(view, 0, 'GIF8') || view.byteLength < 10) return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Reads lossy, lossless and extended WebP files: https://developers.google.com/speed/webp/docs/riff_container. */
function measureWebp(view: DataView): ImageSize | undefined {
  if (!hasText(view, 0, 'RIFF') || !hasText(view, 8, 'WEBPVP8') || view.byteLength < 30) return undefined;
  if (hasText(view, 12, 'VP8 '))
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (hasText(view, 12, 'VP8X')) return { width: 1 + read24(view, 24), height: 1 + read24(view, 27) };
  if (!hasText(view, 12, 'VP8L') || view.getUint8(20) !== 0x2f) return undefined;
  const packed = view.getUint32(21, true);
  return { width: 1 + (packed & 0x3fff), height: 1 + ((packed >>> 14) & 0x3fff) };
}

/** Reads segments up to the start of a frame. */
function measureJpeg(view: DataView): ImageSize | undefined {
  if (!hasText(view, 0, '\xFF\xD8\xFF')) return undefined;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    if (isAlone) {
      at += 2;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const length = view.getUint16(at + 2);
    // The image data begins before any segment with its size.
    if (length < 2 || marker === 0xda || marker === 0xd9) return undefined;
    at += 2 + length;
  }
  return undefined;
}

function read24(view: DataView, at: number): number {
  return view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
}

function hasText(view: DataView, at: number, text: string): boolean {
  if (view.byteLength < at + text.length) return false;
  for (let index = 0; index < text.length; index += 1)
    if (view.getUint8(at + index) !== text.charCodeAt(index)) return false;
  return true;
}
