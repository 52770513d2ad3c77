import type { ImageSize } from '@haft/sandbox';

/** An image as it is stored. */
export interface SizedImage extends Partial<ImageSize> {
  readonly data: Uint8Array;
  readonly mediaType: string;
}

/** Within what an image has to stay. */
export interface ImageLimits {
  /** Of the longer edge, in pixels. */
  readonly maxEdge: number;
  readonly maxBytes: number;
}

/**
 * Makes an image smaller, or one that models can be shown of one of another format. Resolves to `undefined` where it can't;
 * a throw counts as that.
 */
export type ImageSizer = (image: SizedImage, limits: ImageLimits) => Promise<SizedImage | undefined>;

const mostPixels = 100_000_000;
const qualities = [85, 70, 50] as const;

/** Sizes by the library `sharp`, where it is installed. */
export const sizeBySharp: ImageSizer = async ({ data }, { maxEdge, maxBytes }) => {
  // An optional peer: whoever wants large images sized installs it.
  const { default: sharp } = await import('sharp');
  for (const quality of qualities) {
    for (const edge of [maxEdge, Math.round(maxEdge / 2)]) {
      const sized = sharp(data, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true })
        // As the camera was held.
        .rotate()
        .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true });
      const { hasAlpha } = await sharp(data, { limitInputPixels: mostPixels }).metadata();
      const encoded = hasAlpha ? sized.png({ palette: true, quality }) : sized.jpeg({ quality });
      const { data: bytes, info } = await encoded.toBuffer({ resolveWithObject: true });
      const mediaType = hasAlpha ? 'image/png' : 'image/jpeg';
      if (bytes.length <= maxBytes) return { data: bytes, mediaType, width: info.width, height: info.height };
    }
  }
  return undefined;
};
