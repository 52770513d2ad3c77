import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { createStore } from './create-store.ts';
import { parseStoreUrl } from './store-url.ts';
import { codeOf } from '../testing/law-recorder.ts';

describe('parseStoreUrl', () => {
  it('reads the text after "file:" as a literal path', () => {
    const paths = ['haft.db', './haft.db', '../a b/100%.db', resolve('haft.db'), '~haft.db', 'mémo.db'];
    for (const path of paths) expect(parseStoreUrl(`file:${path}`)).toEqual({ kind: 'sqlite', path: resolve(path) });
  });

  it('expands a leading "~/" to the home directory', () => {
    expect(parseStoreUrl('file:~/.haft/haft.db')).toEqual({
      kind: 'sqlite',
      path: join(homedir(), '.haft', 'haft.db'),
    });
  });

  it('decodes the escapes of a "file://" URL', () => {
    const path = join(resolve('.'), 'a b', '100%.db');
    expect(parseStoreUrl(pathToFileURL(path).href)).toEqual({ kind: 'sqlite', path });
  });

  it('accepts "memory:" and both schemes of PostgreSQL', () => {
    expect(parseStoreUrl('memory:')).toEqual({ kind: 'memory' });
    for (const url of ['postgres://me@host/a', 'postgresql:///a', 'POSTGRES://host/a']) {
      expect(parseStoreUrl(url)).toEqual({ kind: 'postgres', url });
    }
  });

  it('rejects text that is not a store URL, and paths that SQLite would interpret differently', async () => {
    const wrong = ['', 'haft.db', 'memory', 'memory:a', 'file:', 'file::memory:', 'file:a.db?mode=memory', 'file:a#b'];
    const more = ['file:a\0b', 'file://host/share/a.db', 'file:///a%2fb', 'postgres:a', 'mysql://host/a', 7 as never];
    for (const url of [...wrong, ...more]) expect(await codeOf(() => parseStoreUrl(url)), url).toBe('INVALID_OPTION');
  });

  it('does not show a password in the error message', () => {
    expect(() => parseStoreUrl('mysql://me:secret@host/a')).toThrow(/^(?!.*secret)/s);
  });
});

describe('createStore', () => {
  it('rejects invalid options', async () => {
    const wrong = [
      {},
      { url: 'memory:', driver: {} },
      { url: 'memory:', timeoutMs: 0 },
      { url: 'memory:', timeoutMs: 0.5 },
      { url: 'memory:', maxDocumentBytes: -1 },
      { url: 'memory:', maxDocumentBytes: Infinity },
      { url: 'memory:', onCorrupt: 'delete' },
    ];
    for (const options of wrong) expect(await codeOf(() => createStore(options as never))).toBe('INVALID_OPTION');
  });

  it('stores documents up to "maxDocumentBytes" and rejects larger ones', async () => {
    const store = await createStore({ url: 'memory:', maxDocumentBytes: 10 });
    const notes = store.collection('notes', String);
    expect((await notes.set('a', '12345678')).ok).toBe(true);
    expect(await codeOf(() => notes.set('a', '123456789'))).toBe('DOCUMENT_TOO_LARGE');
    expect(await codeOf(() => notes.set('a', '漢字文'))).toBe('DOCUMENT_TOO_LARGE');
    await store.close();
  });

  it('emits a process warning when the warning listener throws', async () => {
    const store = await createStore({
      url: 'memory:',
      onWarning: () => {
        throw new Error('the listener of warnings');
      },
    });
    const warned = new Promise<Error>((resolve) => void process.once('warning', resolve));
    const notes = store.collection('notes', String);
    await notes.watch('', () => {
      throw new Error('the listener of changes');
    });
    await notes.set('a', 'one');
    expect((await warned).message).toContain('the listener of changes');
    await store.close();
  });
});
