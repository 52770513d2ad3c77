import type { ImageSize } from '@haft/sandbox';

/** An image file. */
export interface SizedImage extends Partial<ImageSize> {
  readonly data: Uint8Array;
  readonly mediaType: string;
}

/** The limits of an image. */
export interface ImageLimits {
  /** Maximum length of the longer edge, in pixels. */
  readonly maxEdge: number;
  readonly maxBytes: number;
}

/**
 * Shrinks an image, or converts it to a format that models accept. Resolves to `undefined` if it cannot; an exception
 * counts as `undefined`.
 */
export type ImageSizer = (image: SizedImage, limits: ImageLimits) => Promise<SizedImage | undefined>;

const maxPixels = 100_000_000;
const qualities = [85, 70, 50] as const;

/** Creates a resizer that uses the library `sharp` if it is installed. */
export const sizeBySharp: ImageSizer = async ({ data }, { maxEdge, maxBytes }) => {
  // `sharp` is an optional peer dependency, loaded only when an image needs it.
  const { default: sharp } = await import('sharp');
  for (const quality of qualities) {
    for (const edge of [maxEdge, Math.round(maxEdge / 2)]) {
      const sized = sharp(data, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true })
        // Applies the orientation that the camera recorded.
        .rotate()
        .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true });
      const { hasAlpha } = await sharp(data, { limitInputPixels: maxPixels }).metadata();
      const encoded = hasAlpha ? sized.png({ palette: true, quality }) : sized.jpeg({ quality });
      const { data: bytes, info } = await encoded.toBuffer({ resolveWithObject: true });
      const mediaType = hasAlpha ? 'image/png' : 'image/jpeg';
      if (bytes.length <= maxBytes) return { data: bytes, mediaType, width: info.width, height: info.height };
    }
  }
  return undefined;
};
