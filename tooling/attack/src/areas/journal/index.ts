import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Attack, AttackArea } from '../../attack.ts';
import { oddFiles } from './odd-files.ts';
import { openJournal } from './open-journal.ts';

/** Records two calls, damages the log, and returns which other calls are lost. */
async function lostAfter(directory: string, damage: (log: Buffer) => Uint8Array): Promise<string | undefined> {
  const first = await openJournal(directory);
  for (const text of ['one', 'two']) await first.change(text);
  await first.journal.close();
  const path = join(directory, 'journal', 'journal.jsonl');
  const log = readFileSync(path);
  const damaged = Buffer.from(damage(log));
  writeFileSync(path, damaged);
  const { journal } = await openJournal(directory);
  const known = journal.calls().map(({ callId }) => callId);
  await journal.close();
  const whole = damaged.toString().split('\n').slice(0, -1);
  const kept = log
    .toString()
    .split('\n')
    .slice(0, -1)
    .filter((line) => whole.includes(line));
  const wanted = kept.flatMap((line) => /"type":"begin".*?"callId":"([^"]+)"/.exec(line)?.[1] ?? []);
  const lost = wanted.filter((id) => !known.includes(id));
  return lost.length === 0 ? undefined : `lost ${lost.join(', ')}`;
}

const lines: Readonly<Record<string, string | Uint8Array>> = {
  'a null record': 'null',
  'a number': '1',
  'a list': '[]',
  'an empty record': '{}',
  'a record of another version': '{"version":2,"type":"begin","sequence":1}',
  'a change of nothing': '{"type":"change","sequence":2,"at":1,"ids":["j1"],"changes":[null]}',
  'bytes that are no text': Uint8Array.of(0xff, 0xfe, 0x00, 0x80),
  'a line of ten megabytes': 'x'.repeat(10_000_000),
};

const insertions = Object.entries(lines).map(([name, line]): Attack => ({
  name: `The log holds ${name}, and the journal can't be read`,
  run: ({ directory }) =>
    lostAfter(directory, (log) =>
      Buffer.concat([Buffer.from(line), Buffer.from('\n'), log, Buffer.from(line), Buffer.from('\n')]),
    ),
}));

/** Damage to the files of a journal. */
export const area: AttackArea = {
  subject: 'journals with damaged lines, cut off logs and locks of dead processes',
  attacks: [
    ...insertions,
    ...oddFiles,
    ...[0.1, 0.35, 0.6, 0.95].map((share): Attack => ({
      name: `The log is cut off after ${share * 100} % of its bytes, and calls before that are lost`,
      run: ({ directory }) => lostAfter(directory, (log) => log.subarray(0, Math.floor(log.length * share))),
    })),
    {
      name: 'A lock whose process id was reused keeps the journal closed',
      needs: ['linux'],
      async run({ directory }) {
        const { journal } = await openJournal(directory);
        const path = join(directory, 'journal', 'lock');
        const own = readFileSync(path, 'utf8');
        await journal.close();
        writeFileSync(path, own.replace(/\d+$/, '1'));
        try {
          await (await openJournal(directory)).journal.close();
          return undefined;
        } catch (error) {
          return String(error);
        }
      },
    },
  ],
};
