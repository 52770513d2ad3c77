import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listConfinedDirectory } from '../files/confined-stat.ts';
import { openConfined, readConfinedFile } from '../files/confined-read.ts';
import { writeConfinedFile } from '../files/confined-write.ts';
import { asUnprivilegedUser, isRoot } from '../fixtures/unprivileged-user.ts';
import { truncateOutput } from '../output/truncate-output.ts';
import {
  actors,
  guard,
  createVectorWorkspace,
  environments,
  runIn,
  runJailed,
  skip,
} from '../fixtures/vector-workspace.ts';

const isLong = process.env['HAFT_TEST_LONG'] === '1';
/** Creating and removing a million files takes minutes on a busy machine. */
const timeoutMs = isLong ? 1_800_000 : 120_000;
const isLinux = process.platform === 'linux';

describe('files', () => {
  it.runIf(isLinux)('vector 36: a pipe is never opened and does not block', async () => {
    const workspace = createVectorWorkspace();
    execFileSync('mkfifo', [join(workspace.root, 'pipe')]);
    for (const actor of actors) expect(await actor.read(workspace, 'pipe')).toBeUndefined();
    expect(await guard.write(workspace, 'pipe')).toBe(false);
  });

  it.runIf(isLinux)('vector 37: sockets and devices are not read, even through links', async () => {
    const workspace = createVectorWorkspace();
    symlinkSync('/dev/zero', join(workspace.root, 'zero'));
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(join(workspace.root, 'socket'), resolve));
    for (const path of ['zero', 'socket', '/dev/zero']) expect(await guard.read(workspace, path)).toBeUndefined();
    for (const actor of actors) expect(await actor.read(workspace, 'socket')).toBeUndefined();
    // No disk or memory device of the machine is readable.
    const output = await runIn(actors.length > 1, workspace.root, 'ls /dev');
    if (actors.length > 1) expect(output.output.text).not.toMatch(/^(?:sd|vd|nvme|mem|kmem|kvm)/m);
  });

  it('vector 38: a part of a file of 1 GB is read with little memory', async () => {
    const { root } = createVectorWorkspace();
    const path = join(root, 'large');
    const descriptor = openSync(path, 'w');
    writeSync(descriptor, 'head of it');
    closeSync(descriptor);
    truncateSync(path, 2 ** 30);
    const before = process.memoryUsage().rss;
    const file = await openConfined([root], path);
    if (!file.ok) throw new Error(file.message);
    expect(Buffer.from(await file.read(0, 10)).toString()).toBe('head of it');
    file.close();
    expect(await readConfinedFile([root], path)).toMatchObject({ code: 'FILE_TOO_LARGE' });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
  });

  it('vector 39: a growing file is read up to its size when it was opened', async () => {
    const { root } = createVectorWorkspace();
    const path = join(root, 'grows');
    writeFileSync(path, 'first');
    const file = await openConfined([root], path);
    if (!file.ok) throw new Error(file.message);
    appendFileSync(path, 'x'.repeat(100_000));
    expect(file.size).toBe(5);
    expect(Buffer.from(await file.read(0, file.size)).toString()).toBe('first');
    file.close();
  });

  it('vector 40: a shrinking file is read up to its new end', async () => {
    const { root } = createVectorWorkspace();
    const path = join(root, 'shrinks');
    writeFileSync(path, 'x'.repeat(10_000));
    const file = await openConfined([root], path);
    if (!file.ok) throw new Error(file.message);
    truncateSync(path, 10);
    expect((await file.read(0, 10_000)).length).toBe(10);
    expect((await file.read(5_000, 100)).length).toBe(0);
    file.close();
  });

  it.runIf(isLinux)('vector 41: a file without read permission returns ACCESS_DENIED', async () => {
    const { root } = createVectorWorkspace();
    const path = join(root, 'closed');
    writeFileSync(path, 'closed');
    chmodSync(path, 0o000);
    if (!isRoot) return expect(await readConfinedFile([root], path)).toMatchObject({ code: 'ACCESS_DENIED' });
    await asUnprivilegedUser(root, async () => {
      expect(await readConfinedFile([root], path)).toMatchObject({ ok: false, code: 'ACCESS_DENIED' });
    });
  });

  it(
    'vector 42: a directory with many entries is listed up to the limit',
    async () => {
      // A million in the long form. The number of returned entries does not depend on it.
      const count = isLong ? 1_000_000 : 20_000;
      const { root } = createVectorWorkspace();
      execFileSync('sh', ['-c', `seq ${count} | xargs touch`], { cwd: root });
      const listing = await listConfinedDirectory([root], root, { maxEntries: 1_000 });
      // Removed here, because the cleanup hook has less time.
      rmSync(root, { recursive: true });
      expect(listing.ok && [listing.entries.length, listing.truncated]).toEqual([1_000, true]);
    },
    timeoutMs,
  );

  it('vector 43: an extremely long line is truncated', () => {
    const size = isLong ? 500_000_000 : 20_000_000;
    const cut = truncateOutput('x'.repeat(size));
    expect(cut).toMatchObject({ truncated: true, totalLines: 1, totalBytes: size });
    expect(cut.text.length).toBeLessThan(60_000);
  });

  it.runIf(isLinux)('vector 44: the mode is preserved without setuid, and a jail grants no privileges', async () => {
    const { root } = createVectorWorkspace();
    const path = join(root, 'tool');
    writeFileSync(path, 'old');
    chmodSync(path, 0o750);
    expect((await writeConfinedFile([root], path, Buffer.from('new'))).ok).toBe(true);
    expect(lstatSync(path).mode & 0o7777).toBe(0o750);
    chmodSync(path, 0o4755);
    await writeConfinedFile([root], path, Buffer.from('newer'));
    expect(lstatSync(path).mode & 0o6000).toBe(0);
    if (environments.length === 1) return skip(44, 'no jail, so only the file tools are tested');
    // A setuid program gains no privileges in a jail.
    const output = await runJailed(root, 'cp /bin/cat c && chmod 4755 c; grep NoNewPrivs /proc/self/status');
    expect(output.output.text).toMatch(/NoNewPrivs:\s1/);
  });
});
