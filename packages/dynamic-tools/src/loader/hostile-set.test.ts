import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineTool, renderForModel, ToolRegistry, type ToolResult } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { createJail } from '@haft/sandbox';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hostileSet, type HostilePlugin } from '../fixtures/hostile-set.ts';
import { openPluginFolder, pluginSource, type PluginFolder } from '../fixtures/plugin-folder.ts';
import { within } from './slot/within-time.ts';

const isLong = process.env['HAFT_TEST_LONG'] !== undefined;
const jail = await createJail({ policy: 'required' });
if (!jail.ok && process.env['HAFT_JAIL'] === 'required') throw new Error(jail.message);
if (!jail.ok) process.stderr.write(`hostile-set.test.ts: nothing is tried in the jail here: ${jail.message}\n`);

const chosen = hostileSet.filter((plugin) => isLong || plugin.isLong !== true);
const inPlace = (place: HostilePlugin['place']): readonly HostilePlugin[] =>
  chosen.filter((one) => one.place === place);

it('covers at least 40 hostile plugins', () => {
  expect(new Set(hostileSet.map(({ id }) => id)).size).toBe(hostileSet.length);
  expect(hostileSet.length).toBeGreaterThanOrEqual(40);
});

describe.each([
  ['in a process of its own', 'process', true],
  ['in the jail', 'jail', jail.ok],
] as const)('a hostile plugin %s', (_, place, canRun) => {
  const plugins = inPlace(place);
  let folder: PluginFolder;
  let server: Server;
  let outside: string;
  let before: string;

  beforeAll(async () => {
    if (!canRun) return;
    before = witness();
    outside = await realpath(await mkdtemp(join(tmpdir(), 'haft-outside-')));
    await writeFile(join(outside, 'secret.txt'), 'secret');
    server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    const registry = new ToolRegistry();
    registry.register(
      eraseTool(
        defineTool({
          name: 'host_tool',
          description: 'Is the program’s.',
          input: { type: 'object' },
          execute: () => 'own',
        }),
      ),
    );
    folder = await openPluginFolder({
      registry,
      isolation: 'process',
      jail: place === 'jail' ? 'required' : 'off',
      loadTimeoutMs: 15_000,
      unresponsiveMs: 10_000,
      maxMemoryMegabytes: 400,
      grants: Object.fromEntries(plugins.map(({ id, grants = {} }) => [id, grants])),
    });
    await folder.write('good.mjs', pluginSource('good', 'good'));
    for (const plugin of plugins) await lay(folder, plugin, outside);
    await folder.loader.ready;
  }, 600_000);

  afterAll(async () => {
    if (!canRun) return;
    server.close();
    const { directory } = folder;
    await folder.end();
    await rm(outside, { recursive: true });
    const outlived = async (): Promise<void> =>
      expect(await processesIn(directory), 'processes that outlived their host').toEqual([]);
    await vi.waitFor(outlived, 20_000);
    expect(witness(), 'what the host’s own objects are').toBe(before);
  }, 240_000);

  it.runIf(canRun).each(plugins)(
    '$id: $does',
    async ({ id, becomes }) => {
      const info = folder.loader.plugins().find((one) => one.id === id);
      if ('refused' in becomes) {
        expect(info).toMatchObject({ state: 'failed', tools: [], failure: { phase: becomes.refused } });
        expect(info?.failure?.message).toMatch(becomes.message);
      } else {
        expect(info).toMatchObject({ state: 'live' });
        const { port } = server.address() as { readonly port: number };
        const args = { secret: join(outside, 'secret.txt'), port, host: process.pid };
        if (becomes.served !== 'uncalled') expect(said(await folder.call(id, args))).toMatch(becomes.served);
      }
      // The other plugins are unaffected.
      expect(await folder.text('good')).toBe('good');
      expect(await folder.text('host_tool')).toBe('own');
      expect(folder.registry.providerFor('list_plugins')).toBe('lifecycle');
      expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
    },
    240_000,
  );

  it.runIf(canRun)(
    'delays no other plugin and is reported',
    async () => {
      const reported = await folder.text('list_plugins');
      for (const { id, becomes } of plugins) {
        const line = reported.split('\n').find((one) => one.startsWith(`${id} `));
        expect(line).toContain('refused' in becomes ? `failed (${becomes.refused})` : 'live');
      }
      expect(reported).not.toContain(folder.directory);
      const changed = folder.event('replaced', 'good');
      await folder.write('good.mjs', pluginSource('good', 'better'));
      expect(await within(200_000, changed)).toBe(true);
      expect(await folder.text('good')).toBe('better');
    },
    240_000,
  );
});

async function lay(folder: PluginFolder, { id, source, link }: HostilePlugin, outside: string): Promise<void> {
  const files = typeof source === 'string' ? { [`${id}.mjs`]: source } : source;
  for (const [path, text] of Object.entries(files)) await folder.write(path, text);
  if (!link) return;
  const [from, to] = link;
  await mkdir(join(folder.directory, from, '..'), { recursive: true });
  await symlink(to.replace('{outside}', outside), join(folder.directory, from));
}

function said(result: ToolResult): string {
  return result.ok ? renderForModel(result) : result.error.code;
}

/** Global state that plugins would change if they could. */
function witness(): string {
  const owners = [Object.prototype, Array.prototype, Promise.prototype, Function.prototype, JSON, globalThis];
  return JSON.stringify(
    owners.map((owner) =>
      Object.getOwnPropertyNames(owner)
        .sort()
        .filter((name) => !name.startsWith('__vitest')),
    ),
  );
}

/**
 * Returns the command lines of processes started by hostile plugins: those that name the folder, or sleep for a duration
 * used by no other program.
 */
async function processesIn(directory: string): Promise<readonly string[]> {
  if (process.platform !== 'linux') return [];
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.includes(directory) || line.startsWith('/bin/sleep\x004321'))
      found.push(line.split('\0').join(' ').slice(-300));
  }
  return found;
}
