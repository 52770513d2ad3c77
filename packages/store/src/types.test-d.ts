import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';

import type { Store, StoreDocument } from './index.ts';

declare const store: Store;

test('a collection has the types of its schema', () => {
  const notes = store.collection('notes', z.object({ title: z.string(), done: z.boolean().default(false) }));
  expectTypeOf(notes.get('a')).resolves.toEqualTypeOf<StoreDocument<{ title: string; done: boolean }> | undefined>();
  expectTypeOf<Parameters<(typeof notes)['set']>[1]>().toEqualTypeOf<{ title: string; done?: boolean | undefined }>();
  // @ts-expect-error the title is missing
  void notes.set('a', { done: true });
});

test('a collection has the type that its validator returns', () => {
  const counters = store.collection('counters', Number);
  expectTypeOf(counters.update('a', () => 1)).resolves.toEqualTypeOf<StoreDocument<number>>();
  const later = store.collection('later', async (value) => String(value));
  expectTypeOf(later.get('a')).resolves.toEqualTypeOf<StoreDocument<string> | undefined>();
});
