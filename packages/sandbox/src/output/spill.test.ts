import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSpill, spillText, type Spill } from './spill.ts';

let base: string;
let directory: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'haft-spill-')));
  directory = join(base, 'spill');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function open(maxBytes?: number): Spill {
  const spill = openSpill(directory, maxBytes === undefined ? {} : { maxBytes });
  if (!spill.ok) throw new Error(spill.message);
  return spill;
}

describe('openSpill', () => {
  it('writes text immediately to a file that only its owner can read', () => {
    const spill = open();
    spill.push('one ä\n');
    expect(readFileSync(spill.path, 'utf8')).toBe('one ä\n');
    spill.push('two\n');
    spill.close();
    spill.push('late');
    expect(readFileSync(spill.path, 'utf8')).toBe('one ä\ntwo\n');
    expect(spill.isComplete).toBe(true);
    if (process.platform !== 'win32') expect(statSync(spill.path).mode & 0o777).toBe(0o600);
  });

  it('accepts chunks of any length and never splits a character', () => {
    const text = `a${'😀'.repeat(40_000)}${'€'.repeat(50_000)}`;
    const path = spillText(directory, text);
    expect(readFileSync(path!, 'utf8') === text).toBe(true);
  });

  it('stops at its limit between two characters and reports it', () => {
    const spill = open(6);
    spill.push('abc');
    spill.push('d😀e');
    spill.push('f');
    spill.close();
    expect(readFileSync(spill.path, 'utf8')).toBe('abcd');
    expect(spill.isComplete).toBe(false);
    expect(spillText(directory, 'abcdefg', { maxBytes: 6 })).toBeUndefined();
    expect(readdirSync(directory)).toHaveLength(1);
  });

  it('is removed by discard', () => {
    const spill = open();
    spill.push('x');
    spill.discard();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('removes the oldest files when there are too many', () => {
    const paths = Array.from({ length: 70 }, (_, index) => spillText(directory, `${index}`)!);
    expect(readdirSync(directory)).toHaveLength(64);
    expect(existsSync(paths[5]!)).toBe(false);
    expect(readFileSync(paths[6]!, 'utf8')).toBe('6');
  });

  it('removes files of killed processes after a day, and no other files', () => {
    mkdirSync(directory);
    const old = join(directory, `spill-${'a'.repeat(24)}.txt`);
    const young = join(directory, `spill-${'b'.repeat(24)}.txt`);
    const other = join(directory, 'notes.txt');
    for (const path of [old, young, other]) writeFileSync(path, 'x');
    const longAgo = new Date(Date.now() - 90_000_000);
    for (const path of [old, other]) utimesSync(path, longAgo, longAgo);
    spillText(directory, 'y');
    expect([old, young, other].map((path) => existsSync(path))).toEqual([false, true, true]);
  });

  it('removes its files when the process exits', () => {
    const module = JSON.stringify(fileURLToPath(new URL('./spill.ts', import.meta.url)));
    const script = `import { spillText } from ${module}; import { existsSync } from 'node:fs'; const path = spillText(${JSON.stringify(directory)}, 'x'); console.log(existsSync(path));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(printed).toBe('true\n');
    expect(readdirSync(directory)).toEqual([]);
  });

  it('requires a usable directory', () => {
    writeFileSync(join(base, 'file'), '');
    expect(openSpill('relative/folder')).toMatchObject({ ok: false, code: 'INVALID_PATH' });
    expect(openSpill(join(base, 'file'))).toMatchObject({ ok: false });
    symlinkSync('/nowhere-at-all/x', join(base, 'dangling'));
    expect(openSpill(join(base, 'dangling'))).toMatchObject({ ok: false });
    expect(spillText(join(base, 'file'), 'x')).toBeUndefined();
  });
});
