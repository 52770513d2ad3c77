import { describe, expect, it } from 'vitest';
import { unwrap } from '../calling/unwrap-answer.ts';
import { data } from './data.ts';
import { json } from './json.ts';
import { readText } from './read-content.ts';
import { read } from './read.ts';
import { defineResourceTemplate } from './resource-template.ts';
import { text } from './text.ts';
import { parseUriTemplate } from './uri-template.ts';
import { withDescription, withUri } from './wrappers.ts';

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const utf16 = (words: string, isLittle: boolean): Uint8Array =>
  bytes(...Array.from(words).flatMap((each) => (isLittle ? [each.charCodeAt(0), 0] : [0, each.charCodeAt(0)])));

describe('text, json and data', () => {
  it('creates resources from values, with a URI derived from the name', () => {
    expect(text('notes', 'tea')).toMatchObject({ uri: 'text:notes', name: 'notes', type: 'text/plain' });
    expect(json('a b', { tea: 1 })).toMatchObject({ uri: 'json:a%20b', type: 'application/json' });
    expect(json('a', { tea: 1 }).read()).toBe('{"tea":1}');
    expect(text('x', '', { uri: 'file:///x', description: 'An x.' })).toMatchObject({
      uri: 'file:///x',
      description: 'An x.',
    });
  });

  it('rejects invalid names, URIs and values', () => {
    const bad = expect.objectContaining({ code: 'BAD_PARAMETER' }) as Error;
    const loop: { self?: unknown } = {};
    loop.self = loop;
    for (const make of [
      () => text('', 'x'),
      () => text('a\nb', 'x'),
      () => text('a', 1 as unknown as string),
      () => text('a', 'x', { uri: 'no scheme' }),
      () => text('a', 'x', { uri: 'relative/path' }),
      () => json('a', undefined),
      () => json('a', loop),
      () => data('a', 'text' as unknown as Uint8Array),
      () => withUri(text('a', 'x'), '/relative'),
    ])
      expect(make).toThrow(bad);
  });

  it.each([
    ['picture', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'image/png'],
    ['picture.txt', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'image/png'],
    ['sound', [0x52, 0x49, 0x46, 0x46, 1, 2, 3, 4, 0x57, 0x41, 0x56, 0x45], 'audio/wav'],
    ['clip', [0, 0, 0, 0x18, 0x66, 0x74, 0x79, 0x70, 0x69], 'video/mp4'],
    ['sheet.xlsx', [0x50, 0x4b, 3, 4], 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['sheet', [0x50, 0x4b, 3, 4], 'application/zip'],
    ['what', [1, 2, 3, 0], 'application/octet-stream'],
    ['table.csv', [0x61, 0x2c, 0x62], 'text/csv'],
    ['page', [...Buffer.from('\n<!DOCTYPE html><p>')], 'text/html'],
    ['constructor', [0x61], 'text/plain'],
    ['__proto__.toString', [0x61], 'text/plain'],
    ['', [], ''],
  ])('data detects the type of a resource from its name and content: %s', (name, content, type) => {
    if (name === '') expect(data('empty', bytes())).toMatchObject({ type: 'text/plain' });
    else expect(data(name, bytes(...content)).type).toBe(type);
  });

  it.each([
    ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x61, 0xc3, 0xa9]],
    ['UTF-16 with a mark', [0xff, 0xfe, 0x61, 0, 0xe9, 0]],
    ['UTF-16 the other way round', [0xfe, 0xff, 0, 0x61, 0, 0xe9]],
    ['UTF-32 with a mark', [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0, 0xe9, 0, 0, 0]],
    ['Windows-1252', [0x61, 0xe9]],
  ])('data converts %s to UTF-8', (_what, content) => {
    expect(data('a.txt', bytes(...content)).read()).toBe('aé');
  });

  it('data respects a charset, reads UTF-16 without a byte order mark and leaves binary content unchanged', () => {
    expect(data('a', bytes(0xd0), { type: 'text/plain; charset=koi8-r' })).toMatchObject({ type: 'text/plain' });
    expect(data('a', bytes(0xd0), { type: 'text/plain; charset=koi8-r' }).read()).toBe('п');
    expect(data('a', bytes(0x61), { type: 'text/plain; charset=nonsense' }).read()).toBe('a');
    expect(data('a', utf16('Hello', true)).read()).toBe('Hello');
    expect(data('a', utf16('Hello', false)).read()).toBe('Hello');
    const raw = bytes(0, 1, 2, 255);
    const kept = data('a', raw);
    raw[0] = 9;
    expect(kept.read()).toEqual(bytes(0, 1, 2, 255));
  });

  it('wrappers change the properties of a resource but not its content', async () => {
    const wrapped = withDescription(withUri(text('a', 'tea'), 'file:///tea'), 'About tea.');
    expect(wrapped).toMatchObject({ uri: 'file:///tea', description: 'About tea.', name: 'a' });
    expect(await readText(wrapped)).toBe('tea');
    expect(await readText(data('a', bytes(0, 1)))).toBeUndefined();
  });
});

describe('read', () => {
  async function* pieces(...given: readonly (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
    yield* given;
  }

  it('reads files, responses and streams to their end and takes the name from the source', async () => {
    const file = new File(['a,b'], 'folder/table.csv');
    expect(await read(file)).toMatchObject({ ok: true, name: 'table.csv', type: 'text/csv' });
    const response = new Response('{"a":1}', { headers: { 'content-type': 'application/json; charset=utf-8' } });
    const answer = await read(response, { name: 'reply' });
    expect(answer).toMatchObject({ ok: true, name: 'reply', type: 'application/json' });
    expect(await unwrap(answer).read()).toBe('{"a":1}');
    expect(await unwrap(read(pieces('a', bytes(0xc3), bytes(0xa9)))).then((each) => each.read())).toBe('aé');
  });

  it('returns an error if the source fails, and stops at the size limit', async () => {
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield bytes((taken += 1) & 1);
    }
    expect(await read(endless(), { maxBytes: 10 })).toMatchObject({ ok: false, error: { code: 'FILE_TOO_LARGE' } });
    expect(taken).toBe(11);
    await expect(read('file.txt' as never)).rejects.toThrow(/openAsBlob\(path\)/);
    await expect(read(bytes(1) as never)).rejects.toThrow(/data\(name, bytes\)/);
    await expect(read(Promise.resolve(new Blob([])) as never)).rejects.toThrow(/await the promise first/);
    expect(await read(new Response('no', { status: 404 }))).toMatchObject({ ok: false, error: { code: 'READ_ERROR' } });
    async function* broken(): AsyncGenerator<string> {
      yield 'a';
      throw new Error('cut');
    }
    expect(await read(broken(), { name: 'x' })).toMatchObject({
      ok: false,
      error: { message: 'x could not be read: cut' },
    });
    expect(await read(pieces('a'), { signal: AbortSignal.abort() })).toMatchObject({
      ok: false,
      error: { code: 'ABORTED' },
    });
  });
});

describe('URI templates', () => {
  it.each([
    ['log:///{day}', { day: '2026-01-02' }, 'log:///2026-01-02'],
    ['file:///{+path}', { path: 'a/b c.txt' }, 'file:///a/b%20c.txt'],
    ['a:{x}/{y}.json', { x: 'one', y: 'two.three' }, 'a:one/two.three.json'],
    ['s:search{?q,lang}', { q: 'a b&c', lang: 'en' }, 's:search?q=a%20b%26c&lang=en'],
    ['s:search{?q,lang}', { lang: 'en' }, 's:search?lang=en'],
    ['s:search{?q}', {}, 's:search'],
    ['p:a{/b,c}{.d}{#e}', { b: '1', c: '2', d: '3', e: '4' }, 'p:a/1/2.3#4'],
    ['p:a{;b}', { b: 'x' }, 'p:a;b=x'],
  ])('expands %s with %o to %s and matches it again', (template, values, uri) => {
    const parsed = parseUriTemplate(template);
    expect(parsed.expand(values as Record<string, string>)).toBe(uri);
    expect({ ...parsed.match(uri) }).toEqual(values);
  });

  it('does not match other URIs', () => {
    expect(parseUriTemplate('log:///{day}').match('log:///a/b')).toBeUndefined();
    expect(parseUriTemplate('log:///{day}').match('log:///')).toBeUndefined();
    expect(parseUriTemplate('log:///{day}').match('log:///%zz')).toBeUndefined();
    expect(parseUriTemplate('s:a{?q}').match('s:a?other=1')).toBeUndefined();
    expect(parseUriTemplate('s:a{?q}').match(`s:a?q=${'x'.repeat(9_000)}`)).toBeUndefined();
  });

  it('rejects an invalid template with the reason', () => {
    for (const [template, reason] of [
      ['{x}', /must begin with a scheme/],
      ['a:{x', /unmatched brace/],
      ['a:{x*}', /expected one such as/],
      ['a:{x}{x}', /uses a variable twice/],
    ] as const)
      expect(() => parseUriTemplate(template)).toThrow(reason);
    const read = (): string => '';
    expect(() => defineResourceTemplate({ uriTemplate: 'a:b', name: 'b', read })).toThrow(/has no variable/);
  });

  it('creates a resource on request and passes the variables to its reader', async () => {
    const days = defineResourceTemplate({
      uriTemplate: 'log:///{day}',
      name: 'log',
      type: 'text/plain',
      read: ({ day }) => `of ${day}`,
    });
    expect(days.resolve('other:///1')).toBeUndefined();
    expect(await days.resolve('log:///1')?.read()).toBe('of 1');
  });
});
