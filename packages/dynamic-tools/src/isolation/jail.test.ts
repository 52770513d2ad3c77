import { mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createJail } from '@haft/sandbox';
import { openPluginFolder, type PluginFolder } from '../fixtures/plugin-folder.ts';
import type { PluginLoaderOptions } from '../index.ts';
import { planLaunch } from './launch/launch-plan.ts';
import { startPlugin } from './process/running-plugin.ts';

const jail = await createJail({ policy: 'required' });
const hasJail = jail.ok;
if (!jail.ok && process.env['HAFT_JAIL'] === 'required') throw new Error(jail.message);
if (!jail.ok)
  process.stderr.write(`jail.test.ts: the jail is not tested here: ${jail.message}
`);

const open: PluginFolder[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((folder) => folder.end()));
});

async function start(options: Partial<PluginLoaderOptions> = {}): Promise<PluginFolder> {
  const folder = await openPluginFolder({ isolation: 'process', loadTimeoutMs: 30_000, ...options });
  open.push(folder);
  return folder;
}

const ownSleep = `1000.${process.pid}`;
const attempt = (code: string): string => `
export default { name: 'x', version: '1.0.0', tools: [{ name: 'act', description: 'Acts.', input: { type: 'object' },
  execute: async (args) => { try { return String(await (async () => { ${code} })()); } catch (error) { return error.code ?? error.message; } } }] };`;

async function processesNaming(path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const id of await readdir('/proc')) {
    if (!/^\d+$/.test(id) || Number(id) === process.pid) continue;
    const line = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    if (line.includes(path)) found.push(line);
  }
  return found;
}

describe.skipIf(!hasJail)('jailed plugin', () => {
  it('leaves nothing if it is ended while it starts', async () => {
    if (!jail.ok) return;
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'haft-ended-')));
    // Bubblewrap does not end what is inside if it is ended in a few milliseconds of its start, so several moments are tried.
    for (let delay = 0; delay < 48; delay += 2) {
      const plan = planLaunch({ folder, own: [folder], granted: {}, jail, heapMegabytes: 100, bases: [] });
      const plugin = startPlugin(plan, { unresponsiveMs: 30_000, maxMemoryBytes: 1e9 });
      plan.release();
      await after(delay);
      plugin.kill('closed');
      await plugin.exited;
    }
    await expect.poll(() => processesNaming(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('is the default for an untrusted plugin', async () => {
    const folder = await start();
    await folder.write('x.mjs', attempt(`return 'in here';`));
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([{ id: 'x', state: 'live', isolation: 'jail' }]);
    expect(await folder.text('act')).toBe('in here');
    await folder.write('x.mjs', attempt(`return 'still in here';`));
    await folder.event('replaced', 'x');
    expect(await folder.text('act')).toBe('still in here');
  });

  it('has no network, not even this machine, without granted hosts', async () => {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { readonly port: number };
    const code = `const { connect } = await import('node:net'); return new Promise((resolve, reject) => { const socket = connect(args.port, '127.0.0.1', () => { socket.destroy(); resolve('connected'); }); socket.on('error', reject); });`;
    for (const [grants, said] of [
      [{}, /ECONNREFUSED|ENETUNREACH|ERR_ACCESS_DENIED/],
      [{ x: { hosts: ['localhost'] } }, /^connected$/],
    ] as const) {
      const folder = await start({ grants });
      await folder.write('x.mjs', attempt(code));
      await folder.loader.ready;
      expect(await folder.text('act', { port })).toMatch(said);
    }
    server.close();
  });

  it('names the missing grant when a connection fails for lack of a network', async () => {
    const lines: string[] = [];
    const logger = { ...console, warn: (message: string) => void lines.push(message) };
    const folder = await start({ logger });
    await folder.write(
      'x.mjs',
      `export default { name: 'x', version: '1.0.0', tools: [{ name: 'act', description: 'Acts.', input: { type: 'object' },
        execute: async () => (await fetch('http://127.0.0.1:41999/')).status }] };`,
    );
    await folder.loader.ready;
    expect(await folder.call('act')).toMatchObject({ ok: false });
    expect(lines.join()).toMatch(/it has no permission for .*the program must grant hosts/);
  });

  it('counts as read-only as long as the jail enforces it', async () => {
    const claim = `export default { name: 'x', version: '1.0.0', tools: [
      { name: 'act', description: 'Acts.', input: {}, kind: 'read', traits: { pure: true }, execute: () => '' } ] };`;
    for (const [grants, kind, pure] of [
      [{}, 'read', true],
      [{ x: { hosts: ['example.org'] } }, 'other', false],
    ] as const) {
      const folder = await start({ grants });
      await folder.write('x.mjs', claim);
      await folder.loader.ready;
      expect(folder.registry.get('act')).toMatchObject({ kind, traits: { pure, readOnly: pure } });
    }
  });

  it('sees no files through links that existed before it', async () => {
    const outside = await start();
    await outside.write('secret.txt', 'secret');
    const folder = await start();
    await folder.write(
      'x/index.mjs',
      attempt(
        `const fs = await import('node:fs'); return fs.readFileSync(new URL('./link.txt', import.meta.url), 'utf8');`,
      ),
    );
    await symlink(join(outside.directory, 'secret.txt'), join(folder.directory, 'x/link.txt'));
    await folder.loader.ready;
    expect(await folder.text('act')).toBe('ENOENT');
  });

  it('sees only its own processes', async () => {
    const folder = await start();
    await folder.write(
      'x.mjs',
      attempt(
        `return [process.pid < 20, (() => { try { process.kill(args.pid, 0); return 'seen'; } catch (error) { return error.code; } })()].join();`,
      ),
    );
    await folder.loader.ready;
    expect(await folder.text('act', { pid: process.pid })).toBe('true,ESRCH');
  });

  it("can't write to the machine through programs it may start", async () => {
    const folder = await start({ grants: { x: { exec: true } } });
    await folder.write(
      'x.mjs',
      attempt(
        `const { spawnSync } = await import('node:child_process'); const { stdout } = spawnSync('/bin/sh', ['-c', 'mount -o remount,rw,bind /usr && echo mounted; (: > /usr/haft) && echo wrote; grep CapEff /proc/self/status']); return stdout.toString();`,
      ),
    );
    await folder.loader.ready;
    expect(await folder.text('act')).toMatch(/^CapEff:\s0+$/m);
    expect(await folder.text('act')).not.toMatch(/mounted|wrote/);
  });

  it('starts programs if granted, inside the jail', async () => {
    const folder = await start({ grants: { x: { exec: true } } });
    await folder.write(
      'x.mjs',
      attempt(
        `const { execFileSync } = await import('node:child_process'); return execFileSync('/bin/ls', [args.folder]).toString();`,
      ),
    );
    await folder.loader.ready;
    expect(await folder.text('act', { folder: '/' })).not.toMatch(/^(home|root)$/m);
  });

  it('is the only one affected by its fork bomb or memory bomb', async () => {
    const folder = await start({ grants: { x: { exec: true } }, maxMemoryMegabytes: 300 });
    await folder.write(
      'x.mjs',
      attempt(
        `const held = []; for (;;) { held.push(Buffer.alloc(20_000_000, 1)); await new Promise((resolve) => setTimeout(resolve, 5)); if (held.length > 60) return 'held'; }`,
      ),
    );
    await folder.loader.ready;
    expect(await folder.call('act')).toMatchObject({
      ok: false,
      error: { code: 'PLUGIN_FAILED', details: { cause: 'memory' } },
    });
  });

  it('ends with all its processes when the host ends it', async () => {
    const folder = await start({ grants: { x: { exec: true } } });
    await folder.write(
      'x.mjs',
      attempt(
        `const { spawn } = await import('node:child_process'); const child = spawn('/bin/sleep', ['${ownSleep}'], { detached: true, stdio: 'ignore' }); child.unref(); return child.pid;`,
      ),
    );
    await folder.loader.ready;
    expect(Number(await folder.text('act'))).toBeGreaterThan(0);
    expect(await sleepers()).toBe(1);
    await folder.loader.stop();
    await expect.poll(sleepers, { timeout: 20_000 }).toBe(0);
  });
});

/** Counts the processes of this machine that sleep for the test's distinctive duration. */
async function sleepers(): Promise<number> {
  const { readdir, readFile } = await import('node:fs/promises');
  let count = 0;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.split('\0').join(' ').startsWith(`/bin/sleep ${ownSleep}`)) count += 1;
  }
  return count;
}
