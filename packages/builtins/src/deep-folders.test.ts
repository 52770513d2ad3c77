import { execFileSync } from 'node:child_process';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, createGround, type Ground } from './fixtures/create-ground.ts';

let ground: Ground;
beforeEach(() => (ground = createGround()));
// Node cannot remove folders this deep by their paths.
afterEach(() => void execFileSync('rm', ['-rf', ground.folder]));

let made = 0;
/** Creates a path below the given number of nested new folders. */
function deepPath(folders: number): string {
  made += 1;
  return `${made}/${'a/'.repeat(folders - 1)}notes.txt`;
}

async function run(name: string, args: unknown): Promise<void> {
  const result = await ground.call(name, args);
  if (!result.ok) throw new Error(`${name}: ${codeOf(result)}: ${result.error.message}`);
}

describe('a path of very many folders', () => {
  it('is written, read, patched, moved and removed in linear time', async () => {
    const growth = await growthOf(
      (folders) => folders,
      async (folders) => {
        const path = deepPath(folders);
        const patched = deepPath(folders);
        const moved = deepPath(folders);
        await run('write', { path, content: 'one\n' });
        await run('read', { path });
        await run('edit', { path, old_text: 'one', new_text: 'two' });
        const sections = [
          ['Add File: ', patched, '', '+one'],
          ['Update File: ', patched, `*** Move to: ${moved}\n`, '@@\n-one\n+two'],
          ['Delete File: ', moved, '', ''],
        ];
        for (const [kind, target, more, body] of sections)
          await run('apply_patch', { patch: `*** Begin Patch\n*** ${kind}${target}\n${more}${body}\n*** End Patch` });
      },
      30,
    );
    expect(growth).toBeLessThan(linearGrowth);
  }, 60_000);

  it('is listed and searched in linear time', async () => {
    const folderOf = new Map<number, string>();
    for (const folders of [100, 800]) {
      const path = deepPath(folders);
      await run('write', { path, content: 'one\n' });
      folderOf.set(folders, path);
    }
    const growth = await growthOf(
      (folders) => folderOf.get(folders)!,
      async (path) => {
        await run('ls', { path: path.slice(0, -'/notes.txt'.length) });
        await run('glob', { pattern: '**/*.txt', path: path.split('/')[0] });
        await run('grep', { pattern: 'one', path: path.split('/')[0] });
      },
      100,
    );
    expect(growth).toBeLessThan(linearGrowth);
  }, 60_000);

  it('with 1,900 folders is written within five seconds', async () => {
    const before = process.cpuUsage();
    await run('write', { path: `${'a/'.repeat(1_900)}f`, content: 'one\n' });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  }, 60_000);
});
