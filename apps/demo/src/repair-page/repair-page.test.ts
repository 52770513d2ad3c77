import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromiumPath, startChromium, type Browser, type BrowserPage } from '@haft-tooling/browser';
import { cliEnvironment } from '../testing/run-cli.ts';
import { writeFragment } from './browser/page-state.ts';
import { defaultTools } from './browser/samples.ts';
import { serveRepairPage, type RepairPage } from './serve-repair-page.ts';

const isSkipped = chromiumPath === undefined && process.env['CI'] !== 'true';
if (isSkipped)
  process.stderr.write('The repair page is not tested: there is no Chromium here (CHROME_PATH names one).\n');

let server: RepairPage;
let browser: Browser;
let page: BrowserPage;

beforeAll(async () => {
  if (isSkipped) return;
  if (chromiumPath === undefined) throw new Error('the repair page is tested in Chromium, and there is none here');
  server = await serveRepairPage({ port: 0 });
  browser = await startChromium(chromiumPath);
  page = browser.page;
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const state = (text: string, more: object = {}): string =>
  `#${writeFragment({ text, schema: '', tools: defaultTools, stopped: '', marks: '', ...more })}`;

const open = async (fragment: string): Promise<void> => {
  await page.open(`${server.address}${fragment}`);
  await page.until("document.getElementById('said').textContent !== ''");
};

const paste = async (text: string): Promise<void> => {
  await page.evaluate("document.getElementById('text').focus(), document.getElementById('text').select()");
  await page.type(text);
};

const textOf = (selector: string): Promise<string> =>
  page.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`);

const textsOf = (selector: string): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent)`);

const shownValue = async (): Promise<unknown> => JSON.parse(await textOf('#value .printed')) as unknown;

describe.skipIf(isSkipped)('the repair page in Chromium', { timeout: 60_000 }, () => {
  beforeEach(async () => {
    await page.screen({ width: 1280, height: 800 });
  });

  test('shows the value of pasted text, each repair, and its position', async () => {
    await open('');
    await paste(`{title: 'Ada', "langs": ["en", "fr",], "ok": True`);
    await page.until("document.querySelector('#value .badge').textContent === 'truncated'");
    expect(await shownValue()).toMatchObject({ title: 'Ada', langs: ['en', 'fr'] });
    const codes = await textsOf('#value .repair .code');
    expect(codes).toEqual(expect.arrayContaining(['unquoted-key', 'single-quotes', 'trailing-comma']));
    const marks = await textsOf('#twin mark');
    expect(marks).toEqual(expect.arrayContaining(['title', "'Ada'", ',']));
    expect(await textOf('#value .lead')).toContain('Not complete');
    expect(await textOf('#said')).toMatch(/^49 characters read in .*: value truncated, \d repairs; 0 calls\.$/);
  });

  test('follows typing', async () => {
    await open('');
    await paste('[1, 2');
    await page.until("document.querySelector('#value .badge').textContent === 'truncated'");
    await page.type(', 3]');
    await page.until("document.querySelector('#value .badge').textContent === 'valid'");
    expect(await shownValue()).toEqual([1, 2, 3]);
    expect(await textsOf('#twin mark')).toEqual([]);
    await page.press('Backspace');
    await page.until("document.querySelector('#value .badge').textContent !== 'valid'");
  });

  test('shows the calls, the rejected ones with reasons, and the remaining text', async () => {
    await open('');
    await paste(
      'One moment.\n<tool_call>{"name": "read", "arguments": {"path": "a.txt",}}</tool_call>\n' +
        '<tool_call>{"name": "launch", "arguments": {}}</tool_call>',
    );
    await page.until("document.querySelector('.calls .name')?.textContent === 'read'");
    expect(JSON.parse(await textOf('.calls .printed'))).toEqual({ path: 'a.txt' });
    expect(await textsOf('.calls .repair .code')).toEqual(['trailing-comma']);
    expect(await textsOf('.refusals li')).toEqual([expect.stringMatching(/^launch.*unknown_tool$/)]);
    expect(await textOf('#calls .left')).toContain('One moment.');
    expect((await textsOf('#twin mark.call')).join('')).toContain('"arguments": {"path": "a.txt",}');
    expect((await textsOf('#twin mark.rejected')).join('')).toContain('launch');
    expect(await page.evaluate('document.querySelector("#results").firstElementChild.id')).toBe('calls');
  });

  test('shows the error and the message for the model', async () => {
    await open('');
    await paste('there is nothing to read here');
    await page.until("document.querySelector('#value .badge').textContent === 'not read'");
    expect(await textOf('#value dl')).toMatch(/Code.*INVALID_JSON.*Message for the model.{20,}/);
  });

  test('shows every sample without errors in the console', async () => {
    await open('');
    const names = await page.evaluate<readonly string[]>(
      '[...document.querySelectorAll("#sample option")].map((one) => one.value).filter(Boolean)',
    );
    expect(names.length).toBeGreaterThan(6);
    for (const name of names) {
      await page.evaluate(`{
        const sample = document.getElementById('sample');
        sample.value = ${JSON.stringify(name)};
        sample.dispatchEvent(new Event('change'));
      }`);
      expect(await page.evaluate('document.getElementById("text").value.length')).toBeGreaterThan(20);
      expect(await page.evaluate('document.getElementById("sample").value')).toBe(name);
      await page.until(`location.hash === '#sample=${name}'`);
    }
    expect(page.complaints).toEqual([]);
  });

  test('links marks and rows, by mouse and by keyboard', async () => {
    await open(state('{"a": 1, "b": 2,}'));
    const { x, y } = await page.evaluate<{ readonly x: number; readonly y: number }>(`(() => {
      const box = document.querySelector('#twin mark').getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    })()`);
    await page.point(x, y);
    await page.until("document.querySelector('.repair.active')");
    expect(await textOf('#pointed')).toContain('trailing-comma');
    await page.point(2, 2);
    await page.until("!document.querySelector('.active')");
    await page.evaluate("document.querySelector('#value .printed').focus()");
    await page.press('Tab');
    await page.until("document.querySelector('#twin mark.active')");
    await page.press('Enter');
    await page.until("document.querySelector('.repair[aria-pressed=true]')");
    await page.press('Escape');
    await page.until("!document.querySelector('.repair[aria-pressed=true]')");
  });

  test('places the marks exactly behind the characters, even where lines wrap', async () => {
    await open(state(`{"text": "${'a wrapped word and\\tmore '.repeat(60)}", 'last': 1}\n\n`));
    const boxes = await page.evaluate<readonly number[][]>(
      "['text', 'twin'].map((id) => { const { x, y, width, height } = document.getElementById(id).getBoundingClientRect(); return [x, y, width, height]; })",
    );
    expect(boxes[0]).toEqual(boxes[1]);
    const [scrolls, height] = await page.evaluate<readonly [number, number]>(
      "[document.getElementById('text').scrollHeight, document.getElementById('text').clientHeight]",
    );
    expect(scrolls).toBeLessThanOrEqual(height);
  });

  test('never treats text as markup', async () => {
    const attack = '<img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)>';
    const tool = JSON.stringify([{ name: attack }, { name: 'read' }]);
    for (const text of [
      attack,
      JSON.stringify({ [attack]: [attack], __proto__x: attack }),
      `{'${attack}': ${attack}, /* ${attack} */ "__proto__": {"${attack}": 1}`,
      `<tool_call>{"name": ${JSON.stringify(attack)}, "arguments": {"${attack}": "${attack}",}}</tool_call>${attack}`,
      `<tool_call>{"name": "${attack}x", "arguments": {}}</tool_call>`,
      `</div></textarea>${attack}`,
    ]) {
      await open(state(text, { tools: tool, schema: `{"title": ${JSON.stringify(attack)}}` }));
      await paste(text);
      await page.until(`document.getElementById('text').value === ${JSON.stringify(text)}`);
    }
    await open(`#sample=${encodeURIComponent(attack)}&stopped=${encodeURIComponent(attack)}&tools=${attack}`);
    expect(await page.evaluate('document.querySelectorAll("main img, main svg, main script").length')).toBe(0);
    expect(page.complaints).toEqual([]);
    const elsewhere = page.requests.filter((url) => !url.startsWith(server.address) && url !== 'about:blank');
    expect(elsewhere).toEqual([]);
  });

  test('stores the typed text in the URL, and shows a link again', async () => {
    await paste('{"kept": tru');
    await page.until("location.hash.includes('kept')");
    const address = await page.evaluate<string>('location.href');
    await open('#sample=python');
    await page.open(address);
    await page.until(`document.getElementById('text').value === '{"kept": tru'`);
    expect(await page.evaluate('document.getElementById("sample").value')).toBe('');
    await page.evaluate("location.hash = 'sample=cut'");
    await page.until("document.querySelector('#value .badge').textContent === 'truncated'");
  });

  test('uses the declared tools and schema, and explains mistakes in them', async () => {
    await open(state('<tool_call>{"name": "launch", "arguments": {"at": "noon"}}</tool_call>', { tools: '[]' }));
    expect(await textsOf('.calls .name')).toEqual([]);
    const declare = (tools: string): Promise<unknown> =>
      page.evaluate(
        `{ const tools = document.getElementById('tools'); tools.value = ${JSON.stringify(tools)}; tools.dispatchEvent(new Event('input')); }`,
      );
    await declare('{"name": "launch"}');
    await page.until("document.querySelector('.calls .name')?.textContent === 'launch'");
    await declare('{"name": "laun');
    await page.until("document.getElementById('tools').getAttribute('aria-invalid') === 'true'");
    expect(await textOf('#tools-problem')).toContain('This is not JSON');
    expect(await textsOf('.calls .name')).toEqual(['launch']);
  });

  test('stays usable with a text of two million characters', async () => {
    await open('');
    await page.evaluate(`{
      const text = document.getElementById('text');
      text.value = '[' + '{"a": 1, b: "two",}, '.repeat(100_000);
      text.dispatchEvent(new Event('input'));
    }`);
    await page.until("document.getElementById('said').textContent.startsWith('2,100,001 characters')");
    expect(await textOf('#said')).toContain('Too long for marks');
    expect((await textOf('#value .printed')).length).toBeLessThan(110_000);
    expect((await textsOf('#value .repair')).length).toBe(200);
    await paste('[1]');
    await page.until("document.querySelector('#value .badge').textContent === 'valid'");
  });

  test('loads only the modules of the package', async () => {
    const risk = await page.evaluate("import('@haft/repair').then(({ repairJson }) => repairJson('{a: 1,}').risk)");
    expect(risk).toBe('safe');
    expect(page.requests.some((url) => url.includes('/modules/repair/json/'))).toBe(true);
    expect(page.requests.some((url) => url.includes('jsonrepair/'))).toBe(false);
  });

  // An unbuilt clone has nothing to run here; CI builds first, so the built page must work, too.
  test.skipIf(process.env['CI'] !== 'true')('works when built', async () => {
    const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
    const child = spawn(process.execPath, [main, 'repair', '--no-open'], { env: cliEnvironment() });
    const ended = once(child, 'close');
    try {
      const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
      await page.open(`${/http:\S+/.exec(line)?.[0]}#sample=tags`);
      await page.until("document.querySelectorAll('.calls .name').length === 2");
      expect(page.requests).toContainEqual(expect.stringMatching(/\/modules\/repair\/index\.js$/));
    } finally {
      child.kill('SIGINT');
    }
    expect(await ended).toEqual([130, null]);
  });

  test('fits narrow screens and dark mode, and labels its fields', async () => {
    for (const width of [320, 800, 1920]) {
      await page.screen({ width, height: 800, dark: true });
      await open('#sample=tags');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    expect(
      await page.evaluate(
        '[...document.querySelectorAll("textarea, select")].filter((field) => !field.labels.length).map(({ id }) => id)',
      ),
    ).toEqual([]);
    const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(Math.max(...(ground.match(/\d+/g) ?? []).map(Number))).toBeLessThan(64);
  });

  test('has reported no errors', () => {
    // The ended program may stop before its icon was fetched.
    const isOfEnded = (complaint: string): boolean =>
      complaint.includes('ERR_CONNECTION_REFUSED') && !complaint.includes(server.address);
    expect(page.complaints.filter((complaint) => !isOfEnded(complaint))).toEqual([]);
  });
});
