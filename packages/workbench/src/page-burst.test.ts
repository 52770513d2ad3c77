import { join } from 'node:path';
import { allowAll, createDispatcher, defineTool, type ToolSource } from '@haft/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCallLog, type CallLog } from './calls/create-call-log.ts';
import { runBurst } from './fixtures/measure-page.ts';
import { hasChromium, makeDirectory, openPageFixture, type PageFixture } from './fixtures/page-fixture.ts';

const isLong = process.env['HAFT_TEST_LONG'] === '1';
const seconds = isLong ? 10 : 1;

const echo = defineTool({
  name: 'echo',
  description: 'Repeats a text.',
  kind: 'read',
  input: { type: 'object', properties: { text: { type: 'string' } } },
  execute: (args) => (args as { readonly text: string }).text,
});

// Skipped where no browser is installed; `.ci/run` installs one.
describe.skipIf(!hasChromium)('a page while the program is busy (skipped without Chromium)', () => {
  let fixture: PageFixture;
  let calls: CallLog;
  let tools: ToolSource;

  beforeAll(async () => {
    const directory = await makeDirectory();
    calls = createCallLog();
    tools = createDispatcher({ registry: [echo], permission: allowAll, observer: calls.observer });
    fixture = await openPageFixture(join(directory, 'page'), { tools, calls });
    await fixture.show('#/calls', 'No calls yet');
  });
  afterAll(() => fixture?.close());

  it('answers keys, while the memory of the program stays flat', async () => {
    const burst = await runBurst(fixture, tools, seconds);
    await fixture.until('of the latest 500 calls');
    expect(await fixture.page.evaluate('document.querySelectorAll(".list a").length')).toBe(500);
    // The keys have moved the view down. The visible text of a page lacks rows outside the view.
    await fixture.page.until(`document.querySelector('.list a').textContent.includes('${burst.calls}')`);
    expect(burst.delays.length).toBeGreaterThanOrEqual(5 * (seconds + 1));
    expect(burst.growthBytes / 1_048_576).toBeLessThan(8);
    if (isLong) expect(Math.max(...burst.delays)).toBeLessThan(100);
  }, 120_000);

  it('shows the beginning of megabytes of output, and says how much is missing', async () => {
    await tools.dispatch({ id: 'large', name: 'echo', arguments: { text: 'x'.repeat(5_000_000) } });
    const [call] = calls.list(() => false);
    await fixture.show(`#/calls/${call!.key}`, 'What the model reads');
    const length = await fixture.page.evaluate<number>(`document.querySelector('main').innerText.length`);
    expect(length).toBeLessThan(1_000_000);
    expect(await fixture.audit()).toEqual([]);
  });
});
