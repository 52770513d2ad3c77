// Measures the page of the workbench in Chromium and prints the result as JSON. Arguments: openings, saves of a plugin,
// and seconds of events.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, createDispatcher, defineTool, silentLogger, type ToolSource } from '@haft/core';
import { createToolkit } from '@haft/toolkit';
import { createCallLog, type CallLog, type WorkbenchOptions } from '@haft/workbench';
import type { BrowserPage } from '@haft-tooling/browser';

/** Results of `page-process.ts`. */
export interface PageCosts {
  readonly bytes: number;
  /** Times from opening the page to its first paint, in milliseconds. */
  readonly paints: readonly number[];
  /** Times from saving a plugin to its new description in the page, in milliseconds. */
  readonly saves: readonly number[];
  readonly eventsPerSecond: number;
  readonly maxDelay: number;
  readonly growthBytes: number;
}

interface PageFixture {
  readonly page: BrowserPage;
  readonly served: { readonly url: string };
  show(route: string, text: string): Promise<void>;
  until(text: string): Promise<void>;
  close(): Promise<void>;
}

interface PageFixtures {
  readonly makeDirectory: () => Promise<string>;
  readonly openPageFixture: (directory: string, options: WorkbenchOptions) => Promise<PageFixture>;
}

interface Measurements {
  readonly loadedBytes: (fixture: PageFixture) => Promise<number>;
  readonly firstPaintMs: (page: BrowserPage) => Promise<number>;
  readonly runBurst: (
    fixture: PageFixture,
    tools: ToolSource,
    seconds: number,
  ) => Promise<{
    readonly eventsPerSecond: number;
    readonly delays: readonly number[];
    readonly growthBytes: number;
  }>;
}

const fixtures = new URL('../../../../packages/workbench/src/fixtures/', import.meta.url);
const load = async (file: string): Promise<unknown> => import(new URL(file, fixtures).href);
const { makeDirectory, openPageFixture } = (await load('page-fixture.ts')) as PageFixtures;
const { loadedBytes, firstPaintMs, runBurst } = (await load('measure-page.ts')) as Measurements;
const [openings = 1, saves = 1, seconds = 1] = process.argv.slice(2).map(Number);

const directory = await makeDirectory();
const first = await measureFirstPage(join(directory, 'first'));
const costs: PageCosts = { ...first, ...(await measureBurst(join(directory, 'burst'))) };
process.stdout.write(JSON.stringify(costs));
process.exit(0);

async function measureFirstPage(folder: string): Promise<Pick<PageCosts, 'bytes' | 'paints' | 'saves'>> {
  const plugins = join(folder, 'plugins');
  mkdirSync(plugins, { recursive: true });
  const save = (version: number): void =>
    writeFileSync(
      join(plugins, 'stock.mjs'),
      [
        "export default { name: 'stock', description: 'Counts stock.', version: '1.0.0', tools: [{",
        `  name: 'count_stock', description: 'Version ${version}.',`,
        "  input: { type: 'object' }, execute: () => 'none' }] };",
      ].join('\n'),
    );
  save(0);
  const toolkit = await createToolkit({
    cwd: folder,
    jail: { policy: 'off' },
    logger: silentLogger,
    plugins: { directory: plugins, isolation: 'inline' },
  });
  const fixture = await openPageFixture(folder, { toolkit });
  await fixture.page.screen({ width: 1280, height: 800 });
  await fixture.until('Looking for something else?');
  const bytes = await loadedBytes(fixture);
  const paints: number[] = [];
  for (let index = 0; index < openings; index += 1) {
    await fixture.page.open(fixture.served.url);
    paints.push(await firstPaintMs(fixture.page));
  }
  await fixture.show('#/tools/count_stock', 'Version 0.');
  const times: number[] = [];
  for (let version = 1; version <= saves; version += 1) {
    const start = performance.now();
    save(version);
    await fixture.until(`Version ${version}.`);
    times.push(performance.now() - start);
  }
  await fixture.close();
  await toolkit.dispose();
  return { bytes, paints, saves: times };
}

async function measureBurst(folder: string): Promise<Omit<PageCosts, 'bytes' | 'paints' | 'saves'>> {
  const calls: CallLog = createCallLog();
  const echo = defineTool({
    name: 'echo',
    description: 'Repeats a text.',
    kind: 'read',
    input: { type: 'object', properties: { text: { type: 'string' } } },
    execute: (args) => (args as { readonly text: string }).text,
  });
  const tools = createDispatcher({ registry: [echo], permission: allowAll, observer: calls.observer });
  const fixture = await openPageFixture(folder, { tools, calls });
  await fixture.show('#/calls', 'No calls yet');
  const { eventsPerSecond, delays, growthBytes } = await runBurst(fixture, tools, seconds);
  await fixture.until('of the latest 500 calls');
  await fixture.close();
  return { eventsPerSecond, maxDelay: Math.max(...delays), growthBytes };
}
