import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readJournalLines } from './journal-lines.ts';
import { openJournalLog } from './journal-log.ts';
import type { JournalRecord } from '../journal-record.ts';
import { lockFolder } from './lock-log-folder.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'haft-log-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const call = { callId: 'c', tool: 't', provider: '', sessionId: '', runId: 'r', turn: 1 };
const file = { kind: 'file', mode: 0o644, size: 1, hash: 'a'.repeat(64) } as const;
const records: readonly JournalRecord[] = [
  { type: 'begin', sequence: 1, id: 'j1', at: 1, call, paths: ['/w/é.txt'] },
  {
    type: 'change',
    sequence: 2,
    at: 2,
    ids: ['j1'],
    changes: [{ path: '/w/é.txt', before: { kind: 'absent' }, after: file }],
  },
  { type: 'end', sequence: 3, id: 'j1', at: 3, ok: true, mismatches: [] },
];
const path = (): string => join(folder, 'journal.jsonl');
const aside = (): string => join(folder, 'journal-damaged.jsonl');

function write(): Buffer {
  const log = openJournalLog(folder);
  for (const record of records) log.append(record);
  log.close();
  return readFileSync(path());
}

function reopen(bytes: Uint8Array): ReturnType<typeof openJournalLog> {
  rmSync(aside(), { force: true });
  writeFileSync(path(), bytes);
  const log = openJournalLog(folder);
  log.close();
  return log;
}

describe.skipIf(process.platform === 'win32')('a file that is not a regular file', () => {
  it('is rejected in place of the log, without blocking', () => {
    execFileSync('mkfifo', [path()]);
    expect(() => openJournalLog(folder)).toThrow(/can't be opened/);
  });

  it.each(['pipe', 'device'])('is replaced in place of the lock (%s)', (kind) => {
    const lock = join(folder, 'lock');
    if (kind === 'pipe') execFileSync('mkfifo', [lock]);
    else symlinkSync('/dev/zero', lock);
    const unlock = lockFolder(folder);
    expect(readFileSync(lock, 'utf8')).toContain(`${process.pid} `);
    unlock();
    expect(existsSync(lock)).toBe(false);
  });
});

describe('the log of a journal', () => {
  it('sets a record aside if its sequence number cannot be continued', () => {
    const line = JSON.stringify({ ...records[2], sequence: Number.MAX_SAFE_INTEGER });
    expect(readJournalLines(Buffer.from(`${line}\n`))).toMatchObject({ records: [], damaged: [Buffer.from(line)] });
  });

  it.each([
    'null',
    'true',
    '3',
    '"text"',
    '[]',
    '{}',
    '{"type":"begin"}',
    '{"type":"end","sequence":1}',
    '{',
    'a b',
    ' ',
    '{"type":"change","sequence":2,"at":2,"ids":["j1"],"changes":[null]}',
    '{"type":"other","sequence":9,"at":1}',
    '{"type":"end","sequence":-1,"id":"j1","at":3,"ok":true,"mismatches":[]}',
    `{"type":"${'x'.repeat(100_000)}"}`,
    '{"version":9,"type":"end","sequence":3,"id":"j1","at":3,"ok":true,"mismatches":[]}',
    '\0\0\0\0',
    '{"type":"change","sequence":2,"at":2,"ids":["j1"],"changes":[{"path":"/w","before":{"kind":"file"},"after":3}]}',
  ])('sets an invalid line aside and reads the rest: %.60s', (line) => {
    const [first, ...others] = write().toString().split('\n');
    const log = reopen(Buffer.from([first, line, ...others].join('\n')));
    expect([log.records, log.damagedLines]).toEqual([records, 1]);
    expect(readFileSync(aside(), 'utf8')).toBe(`${line}\n`);
    expect(openJournalLog(folder).damagedLines).toBe(0);
  });

  it('preserves the bytes of a line that is not UTF-8', () => {
    const bad = Buffer.from([0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22]);
    const log = reopen(Buffer.concat([bad, Buffer.from('\n'), write()]));
    expect(log.records).toEqual(records);
    expect(readFileSync(aside()).equals(Buffer.concat([bad, Buffer.from('\n')]))).toBe(true);
  });

  it('keeps every record before a truncation at any offset, and continues after it', () => {
    const whole = write();
    for (let end = 0; end <= whole.length; end += 1) {
      const cut = whole.subarray(0, end);
      const read = readJournalLines(cut);
      expect([end, read.records]).toEqual([end, records.slice(0, cut.toString().split('\n').length - 1)]);
      const rest = cut.subarray(cut.lastIndexOf(0x0a) + 1);
      expect([end, Buffer.concat(read.damaged)]).toEqual([end, rest]);
    }
    for (const end of [0, 1, 40, whole.indexOf(0x0a), whole.indexOf(0x0a) + 1, whole.length - 1]) {
      const before = reopen(whole.subarray(0, end)).records;
      const log = openJournalLog(folder);
      log.append(records[2]!);
      log.close();
      expect([end, reopen(readFileSync(path())).records]).toEqual([end, [...before, records[2]]]);
    }
  });

  it('keeps every record except the damaged one, for any damaged byte', () => {
    const whole = write();
    for (let at = 0; at < whole.length; at += 1) {
      const bytes = Buffer.from(whole);
      bytes[at] = 0x00;
      const { records: read } = readJournalLines(bytes);
      // A lost line break damages the following line too.
      expect([at, read.length]).toEqual([
        at,
        expect.toSatisfy((count: number) => count >= (whole[at] === 0x0a ? 1 : 2)),
      ]);
      for (const record of read) expect(records).toContainEqual(record);
    }
  });

  it('reports a log that cannot be opened', () => {
    rmSync(folder, { recursive: true });
    expect(() => openJournalLog(folder)).toThrow(expect.objectContaining({ code: 'JOURNAL_UNREADABLE' }));
  });
});

describe('the lock of a journal', () => {
  it('is replaced if its process has ended, even if another process has reused the id', () => {
    const release = lockFolder(folder);
    const own = readFileSync(join(folder, 'lock'), 'utf8');
    expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: 'JOURNAL_IN_USE' }));
    release();
    expect(existsSync(join(folder, 'lock'))).toBe(false);
    if (process.platform === 'linux') {
      writeFileSync(join(folder, 'lock'), own.replace(/\d+$/, '1'));
      lockFolder(folder)();
      writeFileSync(join(folder, 'lock'), own.replace(/ [0-9a-f-]+:/, ' another-run:'));
      lockFolder(folder)();
    }
    writeFileSync(join(folder, 'lock'), `${process.pid} id`);
    expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: 'JOURNAL_IN_USE' }));
    for (const text of ['', 'no lock at all', '0 a', '999999999 a']) {
      writeFileSync(join(folder, 'lock'), text);
      lockFolder(folder)();
    }
  });
});
