import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromiumPath, startChromium, type Browser, type BrowserPage } from '@haft-tooling/browser';
import { createDispatcher, defineTool, ToolRegistry, type ToolSource } from '@haft/core';
import { createPermissionEngine } from '@haft/permission';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApprovals, type Approvals } from './approvals/create-approvals.ts';
import { createCallLog } from './calls/create-call-log.ts';
import { buildPage } from './fixtures/build-page.ts';
import { goTo, press } from './fixtures/page-fixture.ts';
import { openPage } from './http/page-files.ts';
import { createWorkbenchWith, type Workbench } from './workbench/create-workbench.ts';
import { serveWorkbench, type ServedWorkbench } from './workbench/serve-workbench.ts';

const hostile =
  '<img src=x onerror="document.title=\'broken\'"><script>document.title="broken"</script>\u001B[31m\u202Egpj';
const echo = defineTool({
  name: 'echo',
  description: `Repeats a text. ${hostile}`,
  kind: 'read',
  input: {
    type: 'object',
    properties: { text: { type: 'string', description: 'What to repeat.' }, times: { type: 'integer', default: 1 } },
    required: ['text'],
  },
  execute: (args) => `${(args as { readonly text: string }).text} ${hostile}`,
});
const pay = defineTool({
  name: 'pay',
  description: 'Pays an amount.',
  input: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
  execute: () => 'paid',
});

const hasChromium = chromiumPath !== undefined;

// Skipped where no browser is installed; `.ci/run` installs one.
describe.skipIf(!hasChromium)('the page of the workbench (skipped without Chromium)', () => {
  let browser: Browser;
  let page: BrowserPage;
  let approvals: Approvals;
  let registry: ToolRegistry;
  let tools: ToolSource;
  let workbench: Workbench;
  let served: ServedWorkbench;

  beforeAll(async () => {
    approvals = createApprovals();
    const calls = createCallLog();
    registry = new ToolRegistry({ tools: [echo, pay] });
    const permission = createPermissionEngine({ ask: approvals.ask, rules: [{ action: 'allow', tool: 'echo' }] });
    tools = createDispatcher({ registry, permission, observer: calls.observer });
    workbench = createWorkbenchWith(openPage(await buildPage()), { tools, approvals, calls });
    served = await serveWorkbench(workbench);
    browser = await startChromium(chromiumPath!);
    page = browser.page;
    await page.open(served.url);
    await page.until('document.querySelectorAll(".list a").length === 2');
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });

  const show = async (route: string, text: string): Promise<void> => {
    await goTo(page, route);
    await until(text);
  };
  const until = (text: string): Promise<void> =>
    page.until(`document.querySelector('main')?.innerText.includes(${JSON.stringify(text)})`);

  it('removes the token from its URL', async () => {
    expect(await page.evaluate('location.href')).toBe(`${served.url.replace(/#.*/, '')}#/tools`);
  });

  it('shows a tool with the schema of a vendor, calls it, and shows the result as text', async () => {
    await show('#/tools/echo', 'required');
    // Characters that would hide or reorder text are shown as their code.
    await until('⟨U+202E⟩gpj');
    await show('#/tools/echo?show=schema', 'OpenAI strict');
    await page.evaluate(
      `[...document.querySelectorAll('.dialects a')].find((one) => one.innerText.startsWith('Gemini')).click()`,
    );
    await until('Gemini, about');
    await until('For the Gemini API and Vertex AI, as parametersJsonSchema.');
    expect(await page.evaluate('location.hash')).toBe('#/tools/echo?show=schema&dialect=gemini');
    await show('#/tools/echo', 'What to repeat.');
    await page.evaluate(`document.querySelector('.call-form textarea').focus()`);
    await page.type('hello');
    await press(page, 'Call');
    await until('The call succeeded');
    await until('hello <img src=x');
    expect(await page.evaluate('document.title')).toBe('Tools · Haft workbench');
    expect(await page.evaluate('document.querySelectorAll("main img, main script").length')).toBe(0);
  });

  it('lists the call, and opens it under its own URL', async () => {
    await show('#/calls', 'echo');
    await page.evaluate(`document.querySelector('.list a').click()`);
    await until('What the model reads');
    expect(await page.evaluate('location.hash')).toBe('#/calls/1');
  });

  it('shows that a call may wait to ask, behind another question of its session', async () => {
    const ask = (id: string, amount: number): Promise<unknown> =>
      tools.dispatch({ id, name: 'pay', arguments: { amount } }, { sessionId: 'both' });
    const both = Promise.all([ask('one', 1), ask('two', 2)]);
    await show('#/calls', 'may wait to ask, behind another question');
    await page.evaluate(
      `[...document.querySelectorAll('.list a')].find((one) => one.innerText.includes('may wait to ask')).click()`,
    );
    await until('Another call of its session waits for an answer. This call may wait behind it.');
    await show('#/approvals', '1 call waits, and 1 more may wait behind it.');
    await press(page, 'Deny');
    await until('"amount": 2');
    await until('1 call waits.');
    await press(page, 'Deny');
    await both;
    await until('Nothing waits for you');
  });

  it('shows a tool as soon as it is registered, and hides it when it is removed', async () => {
    await show('#/tools', 'echo');
    const late = defineTool({ name: 'late', description: 'Comes late.', input: { type: 'object' }, execute: () => '' });
    registry.register(late);
    await until('Comes late.');
    registry.unregister('late');
    await page.until(`!document.querySelector('main').innerText.includes('Comes late.')`);
  });

  it('asks for approval with the exact arguments, and lets the call run once it is allowed', async () => {
    const result = tools.dispatch({ id: 'p1', name: 'pay', arguments: { amount: 20 } });
    await page.until(`document.querySelector('nav').innerText.includes('1')`);
    await show('#/calls', 'asking');
    await page.evaluate(`document.querySelector('.list a').click()`);
    await until('The call waits for an answer.');
    await page.evaluate(
      `[...document.querySelectorAll('a')].find((one) => one.innerText === 'See the question').click()`,
    );
    await until('"amount": 20');
    await press(page, 'Allow once');
    expect((await result).ok).toBe(true);
    await until('Nothing waits for you');
    // The way back: from the answer to the call.
    await until('You allowed pay.');
    await page.until(`[...document.querySelectorAll('a')].some((one) => one.innerText === 'See the call')`);
    await page.evaluate(`[...document.querySelectorAll('a')].find((one) => one.innerText === 'See the call').click()`);
    await until('What the model reads');
    await show('#/approvals', 'Nothing waits for you');
  });

  it('keeps what was entered for a tool, and the result that arrives while another page is open', async () => {
    await show('#/tools/pay', 'Pays an amount.');
    await page.evaluate(`document.querySelector('.call-form input').select()`);
    await page.type('75');
    await press(page, 'Call');
    await until('The call waits for an answer.');
    await show('#/approvals', '"amount": 75');
    await press(page, 'Allow once');
    await until('Back to the form');
    await page.evaluate(
      `[...document.querySelectorAll('a')].find((one) => one.innerText === 'Back to the form').click()`,
    );
    await until('The call succeeded');
    expect(await page.evaluate(`document.querySelector('.call-form input').value`)).toBe('75');
    await show('#/approvals', 'Nothing waits for you');
  });

  it('denies a call with a keyboard shortcut, but only once its question is marked', async () => {
    // Presses a when the question appears, and d when it is marked.
    await page.evaluate(`
      let isShown = false;
      new MutationObserver((_changes, observer) => {
        const text = document.querySelector('main').innerText;
        if (!text.includes('"amount": 30')) return;
        if (!isShown) dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }));
        isShown = true;
        if (!text.includes('a and d answer this')) return;
        observer.disconnect();
        dispatchEvent(new KeyboardEvent('keydown', { key: 'd' }));
      }).observe(document, { characterData: true, childList: true, subtree: true });
      undefined`);
    const result = await tools.dispatch({ id: 'p2', name: 'pay', arguments: { amount: 30 } });
    expect(result.ok).toBe(false);
  });

  it('shows a waiting question after a reload and in a second tab', async () => {
    const result = tools.dispatch({ id: 'p3', name: 'pay', arguments: { amount: 40 } });
    await until('"amount": 40');
    await page.open(served.url);
    await show('#/approvals', '"amount": 40');
    expect(approvals.waiting()).toHaveLength(1);
    approvals.denyAll('the test is over');
    await result;
  });

  it('refuses all requests of other sites, including answers to questions', async () => {
    const result = tools.dispatch({ id: 'p4', name: 'pay', arguments: { amount: 50 } });
    // The page may still show the question of the test before.
    await expect.poll(() => approvals.waiting()).toHaveLength(1);
    const { id } = approvals.waiting()[0]!;
    const foreign = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>foreign</title>');
    });
    await new Promise<void>((done) => foreign.listen(0, '127.0.0.1', done));
    const base = served.url.replace(/#.*/, '');
    const other = await browser.openPage();
    try {
      await other.open(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
      const attempt = (init: string): Promise<string> =>
        other.evaluate(
          `fetch(${JSON.stringify(`${base}api/approvals/${id}`)}, ${init}).then((one) => one.type + one.status, () => 'refused')`,
        );
      const body = `JSON.stringify({ action: 'allow' })`;
      const token = workbench.token;
      const outcomes = [
        await attempt(`{ method: 'POST', body: ${body} }`),
        await attempt(`{ method: 'POST', mode: 'no-cors', body: ${body} }`),
        // Even with the token, another site is refused.
        await attempt(
          `{ method: 'POST', headers: { authorization: 'Bearer ${token}', 'content-type': 'application/json' }, body: ${body} }`,
        ),
      ];
      expect(outcomes).toEqual(['refused', 'refused', 'refused']);
      const framed = await other.evaluate<boolean>(
        `new Promise((done) => { const frame = document.createElement('iframe'); frame.src = ${JSON.stringify(base)};
           frame.onload = () => { try { done(frame.contentDocument !== null && frame.contentDocument.title.includes('Haft')); } catch { done(false); } };
           document.body.append(frame); })`,
      );
      expect(framed).toBe(false);
      expect(approvals.waiting()).toHaveLength(1);
    } finally {
      foreign.closeAllConnections();
      foreign.close();
      approvals.denyAll('the test is over');
    }
    expect((await result).ok).toBe(false);
  });

  it('has no accessibility violation on any page, and fits narrow and wide screens', async () => {
    const isLong = process.env['HAFT_TEST_LONG'] !== undefined;
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const pictures = process.env['HAFT_PICTURES'];
    for (const [width, height, dark] of [
      [320, 700, true],
      [1280, 860, false],
      // Chromium without a graphics card takes seconds for each page of this size.
      ...(isLong ? ([[3840, 2160, true]] as const) : []),
    ] as const) {
      await page.screen({ width, height, dark });
      for (const [route, text] of [
        ['#/tools', 'echo'],
        ['#/tools/echo', 'required'],
        ['#/calls', 'latest'],
        ['#/approvals', 'Nothing waits'],
        ['#/servers', 'No servers'],
        ['#/text', 'Streaming'],
      ] as const) {
        await show(route, text);
        // Colours are judged when they have stopped changing.
        await page.until(`document.getAnimations().every(({ playState }) => playState !== 'running')`);
        if (await page.evaluate<boolean>(`typeof axe === 'undefined'`)) await page.evaluate(axe);
        // The short form audits each page once. Those of `page-shop.test.ts` are audited in both themes.
        const isAudited = width === 1280 || isLong;
        const violations = await page.evaluate<readonly string[]>(
          `${isAudited} ? axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '))) : []`,
        );
        expect({ width, route, violations }).toEqual({ width, route, violations: [] });
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect({ width, route, overflow }).toEqual({ width, route, overflow: 0 });
        if (pictures !== undefined)
          await writeFile(join(pictures, `${route.replaceAll(/\W+/g, '-')}-${width}.png`), await page.picture());
      }
    }
  }, 120_000);

  it('shows that the program has ended, and keeps its latest data', async () => {
    await show('#/tools', 'echo');
    await served.close();
    await page.until(`document.body.innerText.includes('The program does not answer')`);
    expect(await page.evaluate('document.querySelectorAll(".list a").length')).toBe(2);
    // Chromium reports the failing requests as errors. There must be no others.
    expect(page.complaints.filter((one) => !one.includes('ERR_CONNECTION') && !one.includes('ERR_INCOMPLETE'))).toEqual(
      [],
    );
  });
});
