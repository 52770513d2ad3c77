import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { createJournal } from './journal/create-journal.ts';
import { createJournalFixture } from './fixtures/journal-fixture.ts';

const program = join(import.meta.dirname, 'fixtures', 'record-and-die.ts');

/** Starts the program, kills it after it has acknowledged a number of calls, and returns the acknowledged ids. */
async function killAfter(calls: number, folder: string, directory: string): Promise<readonly string[]> {
  const child = spawn(process.execPath, ['--conditions=@haft/source', program, folder, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // The output closes shortly before the process exits.
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const acknowledged: string[] = [];
  for await (const id of createInterface({ input: child.stdout })) {
    acknowledged.push(id);
    if (acknowledged.length === calls) child.kill('SIGKILL');
  }
  await ended;
  return acknowledged;
}

it('a journal contains every call acknowledged before the process was killed, and can undo it', async () => {
  const fixture = await createJournalFixture({ '0.txt': 'first' });
  await fixture.journal.close();
  const acknowledged: string[] = [];
  for (const round of [1, 2, 3, 4]) {
    const ids = await killAfter(round, fixture.folder, fixture.directory);
    expect(ids.length).toBeGreaterThanOrEqual(round);
    acknowledged.push(...ids);
    // A line that a crash of the machine cut off, which is worse than a killed process.
    appendFileSync(join(fixture.directory, 'journal.jsonl'), round % 2 === 0 ? '{"type":"begin","seq' : 'null\n');
  }
  const journal = await createJournal({ workspace: fixture.workspace, directory: fixture.directory });
  const recorded = new Map(journal.calls().map((call) => [call.callId, call]));
  expect(acknowledged.filter((id) => recorded.get(id)?.ok !== true)).toEqual([]);
  // An interrupted call with changes may come after the last acknowledged call.
  const last = recorded.get(acknowledged.at(-1)!)!;
  expect(await journal.undo({ id: last.id })).toMatchObject({ ok: true });
  await journal.close();
}, 60_000);
