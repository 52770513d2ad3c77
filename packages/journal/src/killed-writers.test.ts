import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createJournal } from './journal/create-journal.ts';
import { makeGround } from './fixtures/make-ground.ts';

const program = join(import.meta.dirname, 'fixtures', 'record-and-die.ts');

it('has every call that was acknowledged before the process was killed, and can undo it', async () => {
  const ground = await makeGround({ '0.txt': 'first' });
  await ground.journal.close();
  const told = join(ground.outside, 'told.txt');
  const toldCalls = (): readonly string[] =>
    existsSync(told) ? readFileSync(told, 'utf8').split('\n').slice(0, -1) : [];
  for (let round = 0; round < 5; round += 1) {
    const wanted = toldCalls().length + 1 + round;
    const child = spawn(
      process.execPath,
      ['--conditions=@haft/source', program, ground.folder, ground.directory, told],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const ended = new Promise((resolve) => child.once('exit', resolve));
    while (toldCalls().length < wanted && child.exitCode === null) await setImmediate();
    child.kill('SIGKILL');
    await ended;
    // Worse than a kill: a line that was torn by the machine.
    appendFileSync(join(ground.directory, 'journal.jsonl'), round % 2 === 0 ? '{"type":"begin","seq' : 'null\n');
  }
  const journal = await createJournal({ workspace: ground.workspace, directory: ground.directory });
  const recorded = new Map(journal.calls().map((call) => [call.callId, call]));
  const acknowledged = toldCalls();
  expect(acknowledged.length).toBeGreaterThanOrEqual(15);
  expect(acknowledged.filter((id) => recorded.get(id)?.ok !== true)).toEqual([]);
  const last = journal.calls().at(-1)!;
  expect(await journal.undo({ id: last.id })).toMatchObject({ ok: true });
  await journal.close();
}, 60_000);
