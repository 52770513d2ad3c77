import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { createStore } from '../open/create-store.ts';
import { StoreError } from '../store-error.ts';

const note = z.object({
  title: z.string(),
  items: z.array(z.object({ count: z.number() })),
  done: z.boolean().default(false),
});

describe('a collection with a zod schema', () => {
  it('stores the output of the schema and applies defaults to documents that lack a property', async () => {
    const store = await createStore({ url: 'memory:' });
    const notes = store.collection('notes', note);
    const written = await notes.set('a', { title: 'one', items: [] });
    expect(written.ok && written.document.value).toEqual({ title: 'one', items: [], done: false });
    await store.collection('notes', (value) => value).set('b', { title: 'two', items: [] });
    expect((await notes.get('b'))?.value.done).toBe(false);
  });

  it('reports the position of an invalid value without repeating the value', async () => {
    const store = await createStore({ url: 'memory:' });
    const notes = store.collection('notes', note);
    const wrong = { title: 'secret', items: [{ count: 1 }, { count: 'secret' }] };
    const error = await notes.set('a', wrong as never).then(undefined, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreError);
    const { code, issues, message, hint } = error as StoreError;
    expect([code, issues.map(({ path }) => path)]).toEqual(['INVALID_DOCUMENT', ['$.items[1].count']]);
    expect(message).toContain('"a" of notes');
    expect(message).not.toContain('secret');
    expect(hint).not.toBe('');
  });
});
