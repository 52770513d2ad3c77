import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJournalFixture } from './fixtures/journal-fixture.ts';
import { editAtRandom } from './fixtures/random-edits.ts';

const runs = process.env['HAFT_TEST_LONG'] === '1' ? 1_000 : 30;

describe('undo', () => {
  it('restores every byte, permission bit, link and folder, call by call and all at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        async (calls, seed) => {
          let state = (seed % 2_147_483_646) + 1;
          const draw = (limit: number): number => (state = (state * 48_271) % 2_147_483_647) % limit;
          const fixture = await createJournalFixture({ a: 'one', 'lib/b': 'two', 'lib/c.txt': 'three' });
          const { folder, journal } = fixture;
          for (let count = draw(20); count > 0; count -= 1) editAtRandom(folder, draw);
          const states = [fixture.listTree()];
          for (const [turn, edits] of calls.entries()) {
            await fixture.act(
              () => {
                for (let count = edits; count > 0; count -= 1) editAtRandom(folder, draw);
              },
              { runId: 'run', turn },
            );
            states.push(fixture.listTree());
          }
          const ids = journal.calls().map(({ id }) => id);
          const all = await journal.undo({ runId: 'run' });
          expect(all.ok || all.code).toBeOneOf([true, 'NOTHING_TO_UNDO']);
          expect(fixture.listTree()).toEqual(states[0]);
          // An undo can be undone, and then undone again call by call.
          if (all.ok) expect(await journal.undo({ id: all.id })).toMatchObject({ ok: true });
          expect(fixture.listTree()).toEqual(states.at(-1));
          for (const [index, id] of [...ids.entries()].toReversed()) {
            const undone = await journal.undo({ id });
            expect(undone.ok || undone.code).toBeOneOf([true, 'NOTHING_TO_UNDO']);
            expect(fixture.listTree()).toEqual(states[index]);
          }
          await journal.close();
        },
      ),
      { numRuns: runs },
    );
  }, 1_200_000);
});
