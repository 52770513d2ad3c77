import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Attack } from '../../attack.ts';
import { endsInTime, record } from './open-journal.ts';

type Lines = readonly Readonly<Record<string, unknown>>[];

const call = { callId: 'c', tool: 't', provider: 'p', sessionId: '', runId: '', turn: 0 };
const begin = (id: string, more: object = {}): Readonly<Record<string, unknown>> => ({
  type: 'begin',
  sequence: 900,
  id,
  at: 1,
  call,
  ...more,
});
const change = (path: string, more: object = {}): Readonly<Record<string, unknown>> => ({
  type: 'change',
  sequence: 901,
  at: 1,
  ids: ['x1'],
  changes: [{ path, before: { kind: 'absent' }, after: { kind: 'file', mode: 420, size: 1, stamp: 's' } }],
  ...more,
});
const end = (id: string): Readonly<Record<string, unknown>> => ({
  type: 'end',
  sequence: 902,
  id,
  at: 1,
  ok: true,
  mismatches: [],
});

/** Records that are all well formed. */
const forged: Readonly<Record<string, Lines>> = {
  'two calls that are each inside the other': [begin('x1', { parent: 'x2' }), begin('x2', { parent: 'x1' })],
  'a call inside itself': [begin('x1', { parent: 'x1' }), end('x1')],
  'a call that undoes itself': [begin('x1', { undoes: ['x1'] }), end('x1')],
  'two calls that undo each other': [begin('x1', { undoes: ['x2'] }), begin('x2', { undoes: ['x1'] })],
  'a thousand records of one call': Array.from({ length: 1_000 }, () => begin('x1')),
  'an end of a call that never began': [end('nobody')],
  'the largest sequence there is': [begin('x1', { sequence: Number.MAX_SAFE_INTEGER }), end('x1')],
  'names of prototypes for calls': ['__proto__', 'constructor', 'toString'].flatMap((id) => [begin(id), end(id)]),
  'a change of a relative path': [begin('x1'), change('../../etc/passwd'), end('x1')],
  'a change of a path with a null character': [begin('x1'), change('/a\0b'), end('x1')],
  'a change of the root': [begin('x1'), change('/'), end('x1')],
  'a change of a path that is empty': [begin('x1'), change(''), end('x1')],
  'a change of a million names': [begin('x1'), change(`/${'a/'.repeat(500_000)}`), end('x1')],
  'a change that belongs to ten thousand calls': [
    begin('x1'),
    change('/x', { ids: Array.from({ length: 10_000 }, (_, n) => `x${n}`) }),
  ],
};

const byRecord = Object.entries(forged).map(([name, lines], index): Attack => ({
  name: `The log holds ${name}, and the journal hangs or is lost`,
  isLong: index % 3 !== 0,
  run: ({ directory }) =>
    record(directory, (folder) => {
      const path = join(folder, 'journal.jsonl');
      writeFileSync(path, `${readFileSync(path, 'utf8')}${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}`);
    }),
}));

const manyOpen: Attack = {
  name: 'The log holds five thousand calls that have not ended, and opening it hangs',
  timeoutMs: 15_000,
  run: ({ directory }) =>
    endsInTime(directory, (folder) => {
      const lines = Array.from({ length: 5_000 }, (_, n) => begin(`x${n}`, { parent: `x${n + 1}`, paths: [] }));
      writeFileSync(join(folder, 'journal.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    }),
};

const pipe = (path: string): void => {
  rmSync(path, { recursive: true, force: true });
  execFileSync('mkfifo', [path]);
};
const names = ['lock', 'journal.jsonl', 'journal-damaged.jsonl', 'journal.jsonl.new', 'index.json'];

/** Unusual objects instead of a journal's files. */
const odd: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': pipe,
  'a folder': (path) => {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
  },
  'a link to a device without an end': (path) => {
    rmSync(path, { recursive: true, force: true });
    symlinkSync('/dev/zero', path);
  },
};

const byFile = Object.entries(odd).flatMap(([what, make]) =>
  names.map((name, index): Attack => ({
    name: `A journal's ${name} is ${what}, and opening it hangs`,
    needs: ['linux'],
    isLong: index > 0 || what === 'a folder',
    timeoutMs: 15_000,
    run: ({ directory }) => endsInTime(directory, (folder) => make(join(folder, name))),
  })),
);

const locks: Readonly<Record<string, string>> = {
  'a negative id': '-1 x y',
  'the id of every process': '0 x y',
  'an id beyond all': `${'9'.repeat(400)} x y`,
  'an id that is not a number': 'NaN x y',
  'an id with a sign': '+1e0 x y',
  'no text': '',
  'null characters': '\0\0\0',
  'ten megabytes': '7'.repeat(10_000_000),
};

const byLock = Object.entries(locks).map(([what, text], index): Attack => ({
  name: `A lock holds ${what}, and the journal stays closed`,
  isLong: index % 2 === 1,
  run: ({ directory }) => record(directory, (folder) => writeFileSync(join(folder, 'lock'), text)),
}));

/** Damage that is more than broken lines. */
export const oddFiles: readonly Attack[] = [...byRecord, manyOpen, ...byFile, ...byLock];
