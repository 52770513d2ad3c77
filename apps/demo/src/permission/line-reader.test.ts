import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createLineReader, type LineReader } from './line-reader.ts';

function open(): { readonly input: PassThrough; readonly reader: LineReader; readonly screen: () => string } {
  const input = new PassThrough();
  const output = new PassThrough();
  const reader = createLineReader(input, output);
  const screen = (): string => stripVTControlCharacters(String(output.read() ?? ''));
  return { input, reader, screen };
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
