import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { detectMediaType } from './media-type.ts';

const typeOf = (content: string | Uint8Array): string | undefined =>
  detectMediaType(typeof content === 'string' ? Buffer.from(content, 'latin1') : content)?.mediaType;

describe('detectMediaType', () => {
  it.each([
    ['\x89PNG\r\n\x1A\nIHDR', 'image/png', 'image'],
    ['\xFF\xD8\xFF\xE0', 'image/jpeg', 'image'],
    ['GIF89a', 'image/gif', 'image'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'image/webp', 'image'],
    ['RIFF\x10\0\0\0WAVEfmt ', 'audio/wav', 'audio'],
    ['\0\0\0\x20ftypavif', 'image/avif', 'image'],
    ['\0\0\0\x20ftypheic', 'image/heic', 'image'],
    ['\0\0\0\x20ftypisom', 'video/mp4', 'video'],
    ['\0\0\0\x20ftypM4A ', 'audio/mp4', 'audio'],
    ['BM\x10\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0', 'image/bmp', 'image'],
    ['%PDF-1.7\n', 'application/pdf', 'document'],
    ['{\\rtf1\\ansi', 'application/rtf', 'document'],
    ['\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1', 'application/x-ole-storage', 'document'],
    ['PK\x03\x04\x14\0\0\0a.txt', 'application/zip', 'archive'],
    [
      'PK\x03\x04\x14\0\0\0[Content_Types].xml..PK\x03\x04word/document.xml',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'document',
    ],
    ['PK\x03\x04....mimetypeapplication/epub+zipPK', 'application/epub+zip', 'document'],
    [`${'a.txt'.padEnd(257, '\0')}ustar\x0000`, 'application/x-tar', 'archive'],
    ['\x7FELF\x02\x01', 'application/x-elf', 'program'],
    ['MZ\x90\0\x03\0', 'application/x-msdownload', 'program'],
    ['ID3\x04', 'audio/mpeg', 'audio'],
    ['\xFF\xFB\x90\x64', 'audio/mpeg', 'audio'],
    ['fLaC', 'audio/flac', 'audio'],
    ['SQLite format 3\0', 'application/vnd.sqlite3', 'data'],
    ['wOF2', 'font/woff2', 'font'],
  ])('detects %j as %s', (content, mediaType, kind) => {
    expect(detectMediaType(Buffer.from(content, 'latin1'))).toEqual({ kind, mediaType });
  });

  it('detects a file compressed by another program', () => {
    expect(typeOf(gzipSync('hello'))).toBe('application/gzip');
  });

  it.each([
    '',
    'M',
    'BM',
    'BMW makes cars',
    'MZ is how some programs begin',
    'PK',
    'RIFF',
    'RIFF....__proto__',
    'RIFF\0\0\0\0toString',
    'Rar! said the crow',
    'GIF is a format',
    'ftyp',
    'ID',
    '\xFF\xFE\x61\0',
    '\xFE\xFF\0\x61',
    '\xEF\xBB\xBF%PDF',
    '\xFF\xF0\xFF\xFF',
    '# a document\n%PDF-1.7',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
  ])('returns undefined for %j', (content) => {
    expect(typeOf(content)).toBeUndefined();
  });

  it('does not read bytes outside the given array', () => {
    const shared = Buffer.from('xxxx%PDF-1.7xxxx', 'latin1');
    expect(typeOf(shared.subarray(4))).toBe('application/pdf');
    expect(typeOf(shared.subarray(4, 7))).toBeUndefined();
  });
});
