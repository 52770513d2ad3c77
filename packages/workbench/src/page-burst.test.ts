import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { allowAll, createDispatcher, defineTool, type ToolSource } from '@haft/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCallLog, type CallLog } from './calls/create-call-log.ts';
import { hasChromium, makeDirectory, openPageFixture, type PageFixture } from './fixtures/page-fixture.ts';

const isLong = process.env['HAFT_TEST_LONG'] === '1';
const eventsPerSecond = 10_000;
/** A call has two events: its start and its end. */
const callsPerTick = eventsPerSecond / 2 / 100;
const seconds = isLong ? 10 : 1;
const megabyte = 1_048_576;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

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
    await fixture.page.evaluate(`(() => {
      window.delays = [];
      addEventListener('keydown', (event) => delays.push(performance.now() - event.timeStamp), true);
    })()`);
    let count = 0;
    const runTick = async (): Promise<void> => {
      const batch = Array.from({ length: callsPerTick }, () => {
        count += 1;
        return tools.dispatch({ id: `c${count}`, name: 'echo', arguments: { text: `${count}` } });
      });
      await Promise.all(batch);
    };
    const heapAfter = async (ticks: number): Promise<number> => {
      const start = performance.now();
      for (let tick = 1; tick <= ticks; tick += 1) {
        await runTick();
        if (tick % 20 === 0) await fixture.page.press('Tab');
        // A machine that is too slow for the rate runs as fast as it can.
        while (performance.now() - start < tick * 10) await new Promise((done) => setImmediate(done));
      }
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = await heapAfter(100);
    const after = await heapAfter(100 * seconds);
    await fixture.until('of the latest 500 calls');
    await fixture.until(`c${count}`.slice(1));
    const delays = await fixture.page.evaluate<readonly number[]>('delays');
    expect(delays.length).toBeGreaterThanOrEqual(5 * (seconds + 1));
    expect((after - before) / megabyte).toBeLessThan(8);
    if (isLong) expect(Math.max(...delays)).toBeLessThan(100);
    if (isLong) console.log({ count, seconds, delays, growth: (after - before) / megabyte });
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
