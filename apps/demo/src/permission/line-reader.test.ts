import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLineReader, type LineReader } from './line-reader.ts';

interface Opened {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly reader: LineReader;
  /** What was printed since the last look. */
  readonly screen: () => string;
  /** Waits until this is printed. */
  readonly shows: (expected: string | RegExp) => Promise<void>;
}

function open(): Opened {
  const input = new PassThrough();
  const output = new PassThrough();
  const reader = createLineReader(input, output);
  const screen = (): string => stripVTControlCharacters(String(output.read() ?? ''));
  const shows = async (expected: string | RegExp): Promise<void> => {
    let shown = '';
    await expect.poll(() => (shown += screen())).toMatch(expected);
  };
  return { input, output, reader, screen, shows };
}

const { signal } = new AbortController();

describe('createLineReader', () => {
  test('reads lines that were pasted together one after another, and continues the last one', async () => {
    const { input, reader } = open();
    const first = reader.read('> ', signal);
    input.write('one\ntwo\nth');
    expect(await first).toBe('one');
    expect(await reader.read('> ', signal)).toBe('two');
    const third = reader.read('> ', signal);
    input.write('ree\n');
    expect(await third).toBe('three');
  });

  test('reads the marked lines of a paste as one text, and lets the user end the last line', async () => {
    const { input, reader, screen, shows } = open();
    const text = reader.read('> ', signal);
    input.write('see \u001b[200~one\rtwo\r');
    reader.printAbove(() => {});
    input.write('th\u001b[201~');
    await shows(/ {2}… th$/);
    reader.printAbove(() => {});
    expect(screen()).toMatch(/ {2}… th$/);
    input.write('ree\r');
    expect(await text).toBe('see one\ntwo\nthree');
    const next = reader.read('> ', signal);
    input.write('four\r');
    expect(await next).toBe('four');
  });

  test('takes no command from a paste, even if the paste contains an end mark', async () => {
    const { input, reader, shows } = open();
    const text = reader.read('> ', signal);
    input.write('\u001b[200~\u0004\u0003\u001aa\tb\u001b[D\u0015\u007f\u009b\u001b[201~\ry\r');
    input.write('\u0003\r');
    await shows(/ {2}… $/);
    input.write('c\r');
    expect(await text).toBe('a\tb\ny\n\nc');
  });

  test('takes keys as typed again if a paste has no end mark', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { input, reader } = open();
    const text = reader.read('> ', signal);
    input.write('\u001b[200~one\rtwo');
    await vi.advanceTimersByTimeAsync(10_000);
    input.write(' and three\r');
    expect(await text).toBe('one\ntwo and three');
  });

  test('inserts a very long line of a paste at once', async () => {
    const { input, reader, shows } = open();
    const text = reader.read('> ', signal);
    const line = 'x'.repeat(50_000);
    input.write(`\u001b[200~${line}\u001b[201~`);
    await shows(line);
    input.write('\r');
    expect(await text).toBe(line);
  });

  test('has no answer in a paste that was not ended when the question appeared', async () => {
    const { input, reader } = open();
    const stopped = new AbortController();
    const first = reader.read('> ', stopped.signal);
    input.write('\u001b[200~one\rtwo\u001b[201~');
    stopped.abort();
    await first;
    reader.forget();
    const answer = reader.read('? ', signal);
    input.write('y\r');
    expect(await answer).toBe('y');
  });

  test('asks the terminal to mark pastes only while it reads', async () => {
    const { input, output, reader } = open();
    const line = reader.read('> ', signal);
    expect(String(output.read())).toContain('\u001b[?2004h');
    input.write('one\r');
    await line;
    expect(String(output.read())).toContain('\u001b[?2004l');
    const ended = reader.read('> ', signal);
    input.write('\u0004');
    await ended;
    expect(String(output.read())).toMatch(/2004h[^]*2004l/);
  });

  test('drops pasted lines when it is told to forget them', async () => {
    const { input, reader } = open();
    const first = reader.read('> ', signal);
    input.write('one\ntwo\nth');
    await first;
    reader.forget();
    const answer = reader.read('? ', signal);
    input.write('y\n');
    expect(await answer).toBe('y');
  });

  test('prints above the prompt, which is shown again with what was typed', async () => {
    const { input, reader, screen } = open();
    const line = reader.read('you ', signal);
    input.write('hel');
    screen();
    let printed = '';
    reader.printAbove(() => (printed = screen()));
    expect(printed).toBe('');
    expect(screen()).toBe('you hel');
    input.write('lo\n');
    expect(await line).toBe('hello');
  });

  test('ends without a line when the signal aborts or the terminal closes', async () => {
    const { input, reader, screen } = open();
    const stopped = new AbortController();
    const aborted = reader.read('> ', stopped.signal);
    stopped.abort();
    expect(await aborted).toBeUndefined();
    const ended = reader.read('> ', signal);
    input.write('\u0004');
    expect(await ended).toBeUndefined();
    // What is printed next begins on a line of its own.
    expect(screen()).toBe('> \n> \n');
  });
});
