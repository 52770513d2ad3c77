import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { createOutputCapture, type CapturedOutput } from './output-capture.ts';

function capture(chunks: readonly Uint8Array[], maxBytes = 100_000): CapturedOutput & { readonly shown: string } {
  const output = createOutputCapture(maxBytes);
  const shown = chunks.map((chunk) => output.push(chunk)).join('');
  return { ...output.finish(), shown };
}

function captureText(text: string, maxBytes?: number): CapturedOutput {
  return capture([Buffer.from(text)], maxBytes);
}

function splitBytes(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let from = 0;
  for (let index = 0; from < bytes.length; index += 1) {
    const length = lengths.length === 0 ? bytes.length : (lengths[index % lengths.length] ?? 1);
    chunks.push(bytes.subarray(from, from + length));
    from += length;
  }
  return chunks;
}

describe('createOutputCapture', () => {
  test.each([
    ['colours', '\x1B[1;31mred\x1B[0m \x1B[38;2;1;2;3mrgb\x1B[m', 'red rgb'],
    ['cursor moves', 'a\x1B[2K\x1B[1Gb\x1B[?25h', 'ab'],
    ['a window title', '\x1B]0;title\x07text', 'text'],
    ['a hyperlink', '\x1B]8;;https://example.org\x1B\\link\x1B]8;;\x1B\\', 'link'],
    ['a device string', '\x1BPdata\x1B\\text', 'text'],
    ['a character set', '\x1B(Btext\x1B=', 'text'],
    ['a lone escape', 'a\x1B', 'a␛'],
    ['an unfinished sequence at the end', 'a\x1B[31', 'a␛[31'],
    ['an unterminated string', `\x1B]${'x'.repeat(5_000)}`, `␛]${'x'.repeat(5_000)}`],
    ['a sequence inside a sequence', '\x1B\x1B[31m[31mred', '␛[31mred'],
    ['progress', '10%\r50%\r100%\ndone\n', '100%\ndone\n'],
    ['progress without a final line break', '10%\r50%\r', '50%'],
    ['progress that clears its line', 'working\r\x1B[Kdone\n', 'done\n'],
    ['Windows line endings', 'a\r\nb\r\n', 'a\nb\n'],
    ['returns before a line ending', 'a\r\r\nb', 'a\nb'],
    ['backspaces', 'abc\b\bX\b\b\b\b\bY', 'Y'],
    ['overstrike', 'N\bNA\bAM\bME\bE', 'NAME'],
    ['a backspace over an emoji', '😀\b!', '!'],
    ['a bell', 'a\x07b', 'ab'],
    ['C0 controls', '\x01\x0B\x7F', '␁␋␡'],
    ['C1 controls', 'a\u0085\u009B31mb', 'a31mb'],
    ['tabs', 'a\tb', 'a\tb'],
  ])('converts %s to plain text', (_what, text, expected) => {
    expect(captureText(text).text).toBe(expected);
  });

  test('replaces invalid UTF-8 and sets isBinary; U+FFFD itself is text', () => {
    expect(capture([Uint8Array.from([0x61, 0xff, 0xc3])])).toMatchObject({ text: 'a\uFFFD\uFFFD', isBinary: true });
    expect(captureText('a\0b')).toMatchObject({ text: 'a␀b', isBinary: true });
    expect(captureText('a\uFFFD')).toMatchObject({ text: 'a\uFFFD', isBinary: false });
    expect(captureText('żółć\x1B[0m')).toMatchObject({ isBinary: false });
  });

  test('returns the same output however the bytes are split', () => {
    const unit = fc.constantFrom(
      'a',
      'é',
      '€',
      '😀',
      '\n',
      '\r',
      '\r\n',
      '\b',
      '\x1B[31m',
      '\x1B]0;t\x07',
      '\x1B',
      '\0',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }),
        (text, lengths) => {
          const bytes = Buffer.from(text);
          const { shown: _cut, ...cut } = capture(splitBytes(bytes, lengths));
          const { shown: _whole, ...whole } = capture([bytes]);
          expect(cut).toEqual(whole);
        },
      ),
      { numRuns: 2_000, examples: [['aa\x1B\x1Baa', [1, 1, 3]]] },
    );
  });

  test('retains the head and tail of a long text, at line breaks if possible, and counts the rest', () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `line ${String(index).padStart(3, '0')}\n`);
    const output = captureText(lines.join(''), 90);
    expect(output.text).toBe(
      `${lines.slice(0, 5).join('')}[… 990 lines, 8910 bytes omitted …]\n${lines.slice(-5).join('')}`,
    );
    expect(output).toMatchObject({
      truncated: true,
      omittedLines: 990,
      omittedBytes: 8_910,
      totalLines: 1_000,
      totalBytes: 9_000,
    });
  });

  test('omits nothing up to the limit', () => {
    for (const text of ['x'.repeat(100), '€'.repeat(33), 'x\n'.repeat(50)]) {
      expect(captureText(text, 100)).toMatchObject({ text, truncated: false, omittedBytes: 0 });
    }
  });

  test('never splits a character or exceeds its limit by more than the omission line', () => {
    const unit = fc.constantFrom('a', 'é', '€', '😀', '\n');
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 300 }),
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 1, max: 9 }),
        (text, maxBytes, length) => {
          const bytes = Buffer.from(text);
          const output = capture(splitBytes(bytes, [length]), maxBytes);
          expect(output.text).not.toContain('\uFFFD');
          expect(Buffer.byteLength(output.text)).toBeLessThanOrEqual(maxBytes + 80);
          expect(output.totalBytes).toBe(bytes.length);
          expect(output.truncated).toBe(output.text !== text);
          if (bytes.length <= maxBytes) expect(output.text).toBe(text);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('collapses long progress output without line breaks', () => {
    const output = captureText(`${Array.from({ length: 5_000 }, (_, index) => `\rprogress ${index}`).join('')}\nend`);
    expect(output.text).toBe('progress 4999\nend');
  });

  test('returns text immediately, without waiting for the end of the line', () => {
    const output = createOutputCapture(100);
    expect(output.push(Buffer.from('Password: '))).toBe('Password: ');
    expect(output.push(Buffer.from('10%\r20%'))).toBe('10%\r20%');
    expect(output.push(Buffer.from('\x1B[3'))).toBe('');
    expect(output.push(Buffer.from('1mred'))).toBe('red');
  });

  test.each([
    ['escapes', '\x1B'],
    ['string starts', '\x1B]'],
    ['sequence starts', '\x1B[0;'],
    ['backspaces', 'a\b\b'],
    ['returns', 'a\r'],
    ['controls', '\u009D'],
    ['line breaks', '\n'],
  ])('takes time proportional to the length of hostile %s', async (_what, chunk) => {
    const makeChunks = (length: number): readonly Uint8Array[] =>
      splitBytes(Buffer.from(chunk.repeat(length / chunk.length)), [65_536]);
    expect(await growthOf(makeChunks, (chunks) => void capture(chunks, 1_000), 100_000)).toBeLessThan(linearGrowth);
  });
});
