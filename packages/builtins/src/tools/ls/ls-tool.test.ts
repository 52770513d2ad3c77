import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { asNobody } from '../../fixtures/as-nobody.ts';
import { codeOf, createGround, type Ground, type GroundOptions } from '../../fixtures/create-ground.ts';

let ground: Ground;
const start = (options: GroundOptions = {}): Ground => (ground = createGround(options));
afterEach(() => ground.remove());

describe('ls', () => {
  it('lists directories first and files with their sizes, and reports omitted entries', async () => {
    start({
      files: { 'b.txt': 'x'.repeat(2_048), 'a/x': '', 'z/x': '', '.env': 's', '.gitignore': 'dist\n', 'dist/x': '' },
      links: { link: 'b.txt' },
    });
    expect(await ground.say('ls', {})).toBe(
      'a/\nz/\nb.txt (2.0 KiB)\nlink (symbolic link)\nNote: 3 hidden or ignored entries left out: .env, .gitignore, dist/; all=true shows them.',
    );
    expect(await ground.say('ls', { path: '.', all: true })).toContain('dist/');
  });

  it('returns a typed array on request', async () => {
    start({ files: { 'b.txt': 'xy', 'a/x': '' } });
    const result = await ground.call('ls', { output: 'json' });
    expect(result.structured).toEqual([
      { name: 'a', type: 'directory' },
      { name: 'b.txt', type: 'file', size: 2 },
    ]);
  });

  it('shows a limited number of entries and reports how many more exist', async () => {
    start({ files: Object.fromEntries(Array.from({ length: 620 }, (_, index) => [`f${index}`, ''])) });
    const said = await ground.say('ls', {});
    expect(said.split('\n')).toHaveLength(501);
    expect(said).toContain('Note: 120 more entries;');
  });

  it('escapes line breaks in names so that one name does not look like two', async () => {
    start({ files: { 'a\nb': '' } });
    expect(await ground.say('ls', {})).toBe('"a\\nb" (0 B)');
  });

  it('distinguishes an empty directory, a file, a missing path and a path outside the roots', async () => {
    start({ files: { 'empty/.keep': '', 'f.txt': '' }, links: { out: '../outside' } });
    expect(await ground.say('ls', { path: 'empty' })).toContain('There are no entries to show.');
    expect(codeOf(await ground.call('ls', { path: 'f.txt' }))).toBe('NOT_DIRECTORY');
    expect(codeOf(await ground.call('ls', { path: 'none' }))).toBe('NOT_FOUND');
    expect(codeOf(await ground.call('ls', { path: 'out' }))).toBe('OUTSIDE_READ_ROOTS');
    expect(codeOf(await ground.call('ls', { path: '..' }))).toBe('OUTSIDE_READ_ROOTS');
  });

  it('reports a directory without list permission', async () => {
    start({ files: { 'shut/x': '' } });
    chmodSync(join(ground.folder, 'shut'), 0o000);
    const result = await asNobody(ground, () => ground.call('ls', { path: 'shut' }));
    chmodSync(join(ground.folder, 'shut'), 0o700);
    expect(codeOf(result)).toBe('READ_ERROR');
  });

  it.skipIf(process.platform !== 'linux')('explains how to access a file whose name is not valid text', async () => {
    start({ files: { 'cafe.txt': 'x' } });
    writeFileSync(Buffer.concat([Buffer.from(ground.folder), Buffer.from('/caf\xe9-old.txt', 'latin1')]), 'found');
    const way = 'mv -- caf*-old.txt new-name';
    expect(await ground.say('ls', {})).toContain(way);
    expect(await ground.say('read', { path: 'caf\uFFFD-old.txt' })).toContain(way);
    expect(await ground.say('read', { path: 'caf\u00e9-old.txt' })).toContain(way);
    expect(await ground.say('grep', { pattern: 'found' })).toContain('(its name is not UTF-8)');
    await ground.call('bash', { command: way });
    expect(ground.text('new-name')).toBe('found');
  });

  it('lists pipes without opening them', async () => {
    start();
    execFileSync('mkfifo', [join(ground.folder, 'pipe')]);
    expect(await ground.say('ls', {})).toBe('pipe (pipe, socket or device)');
  });
});
