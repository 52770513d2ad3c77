import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, detectEncoding, encodeText, type TextFormat } from './text-encoding.ts';

describe('detectEncoding', () => {
  test.each([
    ['an empty file', [], { encoding: 'utf-8', bom: false }],
    ['ASCII', [0x61], { encoding: 'utf-8', bom: false }],
    ['UTF-8', [0xe2, 0x82, 0xac], { encoding: 'utf-8', bom: false }],
    ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, 0x61], { encoding: 'utf-8', bom: true }],
    ['UTF-16 LE', [0xff, 0xfe, 0x61, 0x00], { encoding: 'utf-16le', bom: true }],
    ['UTF-16 BE', [0xfe, 0xff, 0x00, 0x61], { encoding: 'utf-16be', bom: true }],
    ['Latin-1', [0x63, 0x61, 0x66, 0xe9], { encoding: 'windows-1252', bom: false }],
    ['truncated UTF-8', [0xe2, 0x82], { encoding: 'windows-1252', bom: false }],
  ] as const)('detects %s', (_what, bytes, format) => {
    expect(detectEncoding(Uint8Array.from(bytes))).toEqual(format);
  });
});

describe('decodeText and encodeText', () => {
  test.each([
    ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, 0xc3, 0xa9], 'é'],
    ['UTF-16 LE', [0xff, 0xfe, 0x3d, 0xd8, 0x00, 0xde], '😀'],
    ['UTF-16 BE', [0xfe, 0xff, 0xd8, 0x3d, 0xde, 0x00], '😀'],
    ['Latin-1', [0xe9, 0xff], 'éÿ'],
    ['Windows-1252', [0x80, 0x93, 0x94, 0x99], '€“”™'],
    ['a double byte order mark', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], '\uFEFF'],
  ] as const)('decode %s and encode it to the same bytes', (_what, bytes, text) => {
    const decoded = decodeText(Uint8Array.from(bytes));
    expect(decoded).toMatchObject({ text, lossless: true });
    const encoded = encodeText(decoded.text, decoded);
    expect(encoded.ok && [...encoded.bytes]).toEqual([...bytes]);
  });

  test('restore all bytes unless "lossless" is false', () => {
    const marks = fc.constantFrom([], [0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf]);
    fc.assert(
      fc.property(marks, fc.uint8Array({ maxLength: 40 }), (mark, rest) => {
        const bytes = Uint8Array.from([...mark, ...rest]);
        const decoded = decodeText(bytes);
        const encoded = encodeText(decoded.text, decoded);
        if (decoded.lossless) expect(encoded.ok && Buffer.compare(encoded.bytes, bytes)).toBe(0);
        else expect(decoded.encoding).toMatch(/^utf-16/);
      }),
      { numRuns: 2_000 },
    );
  });

  test('restore every single byte', () => {
    for (let byte = 0; byte < 256; byte += 1) {
      const decoded = decodeText(Uint8Array.from([byte]));
      const encoded = encodeText(decoded.text, decoded);
      expect(encoded.ok && [...encoded.bytes]).toEqual([byte]);
    }
  });

  test.each([
    ['→', { encoding: 'windows-1252', bom: false }, 'U+2192'],
    ['a😀', { encoding: 'windows-1252', bom: false }, 'U+1F600'],
    ['\u0080', { encoding: 'windows-1252', bom: false }, 'U+0080'],
    ['\uD800', { encoding: 'utf-8', bom: false }, 'U+D800'],
    ['\uDC00\uD800', { encoding: 'utf-16le', bom: true }, 'U+DC00'],
  ] as const satisfies readonly (readonly [string, TextFormat, string])[])(
    'reject %j in %o instead of replacing it',
    (text, format, named) => {
      const refused = encodeText(text, format);
      expect(refused).toMatchObject({ ok: false, code: 'UNENCODABLE_TEXT' });
      expect(refused.ok ? '' : refused.hint).toContain(named);
    },
  );

  test('encode UTF-8 without a byte order mark by default', () => {
    const encoded = encodeText('é');
    expect(encoded.ok && [...encoded.bytes]).toEqual([0xc3, 0xa9]);
  });

  test('report UTF-16 of odd length or with a lone surrogate as lossy', () => {
    expect(decodeText(Uint8Array.from([0xff, 0xfe, 0x61])).lossless).toBe(false);
    expect(decodeText(Uint8Array.from([0xff, 0xfe, 0x00, 0xd8])).lossless).toBe(false);
  });
});
