import { describe, expect, it } from 'vitest';
import { measureImage } from './image-size.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const png = '\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\x01\x02\0\0\0\x03';
const jpeg = '\xFF\xD8\xFF\xE0\0\x04ab\xFF\xFF\xC2\0\x11\x08\0\x03\x01\x02\x03';

describe('measureImage', () => {
  it.each([
    ['PNG', png],
    ['GIF', 'GIF89a\x02\x01\x03\0'],
    ['JPEG', jpeg],
    ['WebP, lossy', `RIFF....WEBPVP8 ${'.'.repeat(10)}\x02\x01\x03\0`],
    ['WebP, lossless', `RIFF....WEBPVP8L....\x2F\x01\x81\0\0${'.'.repeat(8)}`],
    ['WebP, extended', `RIFF....WEBPVP8X${'.'.repeat(8)}\x01\x01\0\x02\0\0`],
  ])('reads the size of a %s', (_, text) => {
    expect(measureImage(bytes(text))).toEqual({ width: 258, height: 3 });
  });

  it.each([
    '',
    '\x89PNG',
    png.slice(0, 20),
    '\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\0\0\0\0\x03',
    'GIF89a\x02',
    '\xFF\xD8\xFF',
    '\xFF\xD8\xFF\xE0\0\0\xFF\xC0',
    `\xFF\xD8\xFF\xDA\0\x04ab\xFF\xC0\0\x11\x08\0\x03\x01\x02\x03`,
    `\xFF\xD8${'\xFF'.repeat(10_000)}`,
    `\xFF\xD8\xFF\xE0\xFF\xFF${'a'.repeat(100)}`,
    `RIFF....WEBPVP8?${'.'.repeat(20)}`,
    'II*\0 a tiff',
    'text',
  ])('returns undefined for %j', (text) => {
    expect(measureImage(bytes(text))).toBeUndefined();
  });

  it('does not read bytes outside the given array', () => {
    const all = bytes(`xx${png}xx`);
    expect(measureImage(all.subarray(2))).toEqual({ width: 258, height: 3 });
    expect(measureImage(all.subarray(2, 20))).toBeUndefined();
  });
});
