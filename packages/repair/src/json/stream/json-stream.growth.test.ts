import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it, vi } from 'vitest';
import { createJsonStream } from './json-stream.ts';

vi.setConfig({ testTimeout: 60_000 });

const record = '{"path": "src/a.ts", "line": 12, "text": "one \\"two\\"\\nthree", "tags": ["x", "y"]}';

// Each makes a naive reader look at old text repeatedly.
const shapes: readonly (readonly [string, (length: number) => string])[] = [
  ['one long string', (length) => `{"a": "${'const x = 1;\\n'.repeat(length / 14)}"}`],
  ['records', (length) => `[${`${record}, `.repeat(length / record.length)}null]`],
  ['prose before', (length) => `${'Once {upon} a <time> [1] '.repeat(length / 25)}{"a": 1}`],
  ['prose and nothing else', (length) => 'words '.repeat(length / 6)],
  ['reasoning that never ends', (length) => `<think>${'hmm {"a": 1} '.repeat(length / 13)}`],
  ['white space', (length) => `{"a": "x"${' '.repeat(length)}}`],
  ['quotes inside a string', (length) => `{"a": "${'say "hi" to '.repeat(length / 12)}"}`],
  ['quotes and commas', (length) => `{"a":"${'",'.repeat(length / 2)}`],
  ['a comment that never ends', (length) => `{"a": 1 /* ${'x '.repeat(length / 2)}`],
  ['text without quotes', (length) => `{"a": ${'some words, '.repeat(length / 12)}`],
  ['lost quotes in long strings', (length) => `[${`{"a": "${'word '.repeat(500)}, "b": 1}, `.repeat(length / 2_520)}`],
  ['closers behind text and before keys', (length) => `[${'"a":k>],'.repeat(length / 8)}`],
  ['digits', (length) => `[${'1'.repeat(length)}`],
  ['nesting', (length) => '{"a":['.repeat(Math.min(400, length / 6)) + '1,'.repeat(length / 2)],
  ['empty objects', (length) => '{} '.repeat(length / 3)],
];

function pushInPieces(text: string): void {
  const stream = createJsonStream({ onDelta: () => undefined });
  for (let at = 0; at < text.length; at += 16) {
    stream.push(text.slice(at, at + 16));
    void stream.value;
  }
}

describe('the time to push a text in small chunks', () => {
  it.each(shapes)('grows no faster than the text: %s', async (_name, make) => {
    expect(await growthOf(make, pushInPieces, 8_000)).toBeLessThan(linearGrowth);
  });
});
