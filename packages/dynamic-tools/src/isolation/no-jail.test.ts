import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPluginFolder, pluginSource, type PluginFolder } from '../fixtures/plugin-folder.ts';
import type { PluginLoaderOptions } from '../index.ts';

// Without a search path, no jail program is found.
beforeAll(() => void vi.stubEnv('PATH', ''));
afterAll(() => void vi.unstubAllEnvs());

const open: PluginFolder[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((folder) => folder.end()));
});

async function start(options: Partial<PluginLoaderOptions>): Promise<PluginFolder> {
  const folder = await openPluginFolder({ isolation: 'process', loadTimeoutMs: 30_000, ...options });
  open.push(folder);
  await folder.write('x.mjs', `globalThis.haftRan = true; ${pluginSource('act', 'done')}`);
  await folder.loader.ready;
  return folder;
}

describe('machine without a jail', () => {
  it('refuses untrusted plugins and reports what to do', async () => {
    const folder = await start({});
    expect(folder.loader.plugins()).toMatchObject([{ id: 'x', state: 'failed', failure: { phase: 'isolate' } }]);
    expect(await folder.text('list_plugins')).toMatch(
      /x failed \(isolate\): it is not trusted, and no jail is available: .*\. Trust it, or let plugins run without a jail/,
    );
  });

  it.each(['preferred', 'off'] as const)('runs a plugin unjailed if allowed (%s)', async (jail) => {
    const folder = await start({ jail });
    expect(folder.loader.plugins()).toMatchObject([{ state: 'live', isolation: 'process' }]);
    expect(await folder.text('act')).toBe('done');
  });

  it('runs a trusted plugin inline', async () => {
    const folder = await start({ trusted: ['x'] });
    expect(folder.loader.plugins()).toMatchObject([{ state: 'live', isolation: 'inline' }]);
  });
});
