import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { renderForModel } from '@haft/core';
import { codeOf, createGround, type Ground } from '../../fixtures/create-ground.ts';
import type { ImageSizer } from './image-sizer.ts';

const paint = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 10, b: 10, alpha: 0.5 } } });
const noisyImage = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: 'white', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  });

const open = (files: Record<string, Uint8Array>, images?: ImageSizer): Ground =>
  createGround({ files, ...(images ? { builtins: { images } } : {}) });
const missing: ImageSizer = () => Promise.reject(Object.assign(new Error('no'), { code: 'ERR_MODULE_NOT_FOUND' }));

describe('read of a binary file', () => {
  it('returns an image unchanged and reports its size', async () => {
    const png = await paint(30, 20).png().toBuffer();
    const ground = open({ 'called.txt': png });
    const result = await ground.call('read', { path: 'called.txt' });
    expect(result.content).toEqual([
      { type: 'text', text: `called.txt: image/png, 30×20, ${png.length} bytes` },
      { type: 'image', data: expect.any(Uint8Array), mediaType: 'image/png' },
    ]);
    const [, part] = result.content;
    expect(part!.type === 'image' && Buffer.compare(part!.data, png)).toBe(0);
    expect(result.effects).toMatchObject([{ kind: 'file', op: 'read', bytesAfter: png.length }]);
    ground.remove();
  });

  it('shrinks a large image and applies its orientation', async () => {
    const jpeg = await noisyImage(4_000, 1_000).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const ground = open({ 'a.jpg': jpeg });
    const result = await ground.call('read', { path: 'a.jpg' });
    const part = result.content[1]!;
    expect(part).toMatchObject({ type: 'image', mediaType: 'image/jpeg' });
    expect(renderForModel(result)).toMatch(
      /^a\.jpg: image\/jpeg, 500×2000, \d+ bytes \(made of 4000×1000, \d+ bytes\)/,
    );
    const size = part.type === 'image' ? await sharp(part.data).metadata() : undefined;
    expect([size?.width, size?.height]).toEqual([500, 2_000]);
    ground.remove();
  });

  it("keeps transparency, and shows an image unchanged if it can't be shrunk but is small enough", async () => {
    const ground = open({
      'a.png': await paint(3_000, 10, 4).png().toBuffer(),
      'b.tiff': await paint(30, 20).tiff().toBuffer(),
    });
    expect((await ground.call('read', { path: 'a.png' })).content[1]).toMatchObject({ mediaType: 'image/png' });
    expect((await ground.call('read', { path: 'b.tiff' })).content[1]).toMatchObject({ mediaType: 'image/jpeg' });
    ground.remove();
  });

  it("rejects an image that is too large and can't be shrunk, with the reason and the size", async () => {
    const large = await noisyImage(2_400, 1_600).png().toBuffer();
    expect(large.length).toBeGreaterThan(3_750_000);
    const wide = await paint(3_000, 10).png().toBuffer();
    const ground = open(
      { 'large.png': large, 'wide.png': wide, 'b.tiff': await paint(3, 2).tiff().toBuffer() },
      missing,
    );
    const said = await ground.say('read', { path: 'large.png' });
    expect(said).toMatch(
      /^Error BINARY_FILE: large\.png can't be shown: the image is too large \(2400×1600, \d+ bytes; /,
    );
    expect(said).toContain('the optional package sharp is not installed');
    // Vendors accept such images, at a higher price.
    expect(codeOf(await ground.call('read', { path: 'wide.png' }))).toBe('ok');
    expect(await ground.say('read', { path: 'b.tiff' })).toContain(
      'an image of the type image/tiff has to be converted',
    );
    ground.remove();
  });

  it.each<[string, ImageSizer]>([
    ['breaks', () => Promise.reject(new Error('broken'))],
    ['gives nothing', async () => undefined],
    ['gives too much', async (image) => ({ ...image, data: new Uint8Array(4_000_000) })],
    ['gives another format', async (image) => ({ ...image, data: new Uint8Array(4), mediaType: 'image/bmp' })],
  ])('handles a resizer that %s', async (_, images) => {
    const ground = open({ 'b.tiff': await paint(3, 2).tiff().toBuffer() }, images);
    expect(codeOf(await ground.call('read', { path: 'b.tiff' }))).toBe('BINARY_FILE');
    ground.remove();
  });

  it('returns no damaged image and decodes no decompression bomb', async () => {
    const png = await paint(30, 20).png().toBuffer();
    const bomb = Buffer.from(png);
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    const ground = open({
      'cut.png': png.subarray(0, 20),
      'bomb.png': bomb,
      'cut.jpg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]),
    });
    for (const path of ['cut.png', 'bomb.png', 'cut.jpg'])
      expect([path, codeOf(await ground.call('read', { path }))]).toEqual([path, 'BINARY_FILE']);
    ground.remove();
  });

  it('returns documents and sounds as parts, and reports the type of other files', async () => {
    const ground = open({
      'a.pdf': Buffer.from('%PDF-1.7\nbody'),
      'a.wav': Buffer.from('RIFF\0\0\0\0WAVEfmt \0\0', 'latin1'),
      'a.zip': Buffer.from('PK\x03\x04\0\0\0', 'latin1'),
      'a.bin': Buffer.from([0, 1, 2]),
    });
    const pdf = await ground.call('read', { path: 'a.pdf' });
    expect(pdf.content).toMatchObject([
      { type: 'text', text: 'a.pdf: application/pdf, 13 bytes' },
      { type: 'resource', resource: { name: 'a.pdf', type: 'application/pdf', uri: `file://${ground.folder}/a.pdf` } },
    ]);
    const part = pdf.content[1]!;
    expect(part.type === 'resource' && Buffer.from((await part.resource.read()) as Uint8Array).toString()).toBe(
      '%PDF-1.7\nbody',
    );
    expect((await ground.call('read', { path: 'a.wav' })).content[1]).toMatchObject({
      type: 'audio',
      mediaType: 'audio/wav',
    });
    expect(await ground.say('read', { path: 'a.zip' })).toContain('a.zip is not text (application/zip, 7 bytes)');
    expect(await ground.say('read', { path: 'a.bin' })).toContain('a.bin is not text (3 bytes)');
    ground.remove();
  });

  it('recognizes text that begins like a media file', async () => {
    const ground = open({
      'a.txt': Buffer.from('BZh is a format'),
      'b.txt': Buffer.from('ID3 tags'),
      'c.ps': Buffer.from('%!PS-Adobe\n'),
    });
    for (const [path, text] of [
      ['a.txt', '1→BZh is a format'],
      ['b.txt', '1→ID3 tags'],
      ['c.ps', '1→%!PS-Adobe'],
    ])
      expect(await ground.say('read', { path })).toBe(text);
    ground.remove();
  });

  it('does not load files that are too large', async () => {
    const ground = open({ 'a.pdf': Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(20_000_000)]) });
    expect(codeOf(await ground.call('read', { path: 'a.pdf' }))).toBe('FILE_TOO_LARGE');
    expect(await ground.say('read', { path: 'a.pdf' })).toContain('up to 20000000 bytes');
    ground.remove();
  });
});
