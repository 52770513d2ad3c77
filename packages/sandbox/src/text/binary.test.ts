import { expect, test } from 'vitest';
import { isBinary } from './binary.ts';
import { hashContent } from '../files/content-hash.ts';

test.each([
  ['an empty file', '', false],
  ['text', 'hello\n\tworld\r\n', false],
  ['UTF-8', 'żółć 😀', false],
  ['a coloured log', '\x1B[31mred\x1B[0m\n', false],
  ['a NUL', 'hello\0world', true],
  ['a NUL beyond 8 KB', `${'x'.repeat(9_000)}\0`, false],
  ['mostly controls', '\x01\x02\x03\x04abc', true],
])('isBinary for %s (%j) returns %j', (_what, text, expected) => {
  expect(isBinary(Buffer.from(text))).toBe(expected);
});

test('isBinary accepts UTF-16 with a byte order mark and Latin-1 as text, and reports an image as binary', () => {
  expect(isBinary(Buffer.from('\uFEFFhello', 'utf16le'))).toBe(false);
  expect(isBinary(Buffer.from('café', 'latin1'))).toBe(false);
  expect(isBinary(Buffer.from('\x89PNG\r\n\x1A\n\0\0\0\rIHDR', 'latin1'))).toBe(true);
});

test('hashContent returns equal hashes for equal bytes and text', () => {
  expect(hashContent('é')).toBe(hashContent(Buffer.from('é')));
  expect(hashContent('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});
