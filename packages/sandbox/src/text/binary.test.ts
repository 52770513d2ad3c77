import { expect, test } from 'vitest';
import { isBinary } from './binary.ts';
import { hashContent } from '../files/content-hash.ts';

test.each([
  ['nothing', '', false],
  ['text', 'hello\n\tworld\r\n', false],
  ['UTF-8', 'żółć 😀', false],
  ['a coloured log', '\x1B[31mred\x1B[0m\n', false],
  ['a NUL', 'hello\0world', true],
  ['a NUL beyond 8 KB', `${'x'.repeat(9_000)}\0`, false],
  ['mostly controls', '\x01\x02\x03\x04abc', true],
])('%s: isBinary says %j', (_what, text, expected) => {
  expect(isBinary(Buffer.from(text))).toBe(expected);
});

test('UTF-16 with a byte order mark is text, Latin-1 is, an image is not', () => {
  expect(isBinary(Buffer.from('\uFEFFhello', 'utf16le'))).toBe(false);
  expect(isBinary(Buffer.from('café', 'latin1'))).toBe(false);
  expect(isBinary(Buffer.from('\x89PNG\r\n\x1A\n\0\0\0\rIHDR', 'latin1'))).toBe(true);
});

test('equal content has an equal name, whether bytes or text', () => {
  expect(hashContent('é')).toBe(hashContent(Buffer.from('é')));
  expect(hashContent('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});
