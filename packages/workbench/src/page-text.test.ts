import { allowAll, createDispatcher, defineTool } from '@haft/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goTo, hasChromium, makeDirectory, openPageFixture, type PageFixture } from './fixtures/page-fixture.ts';
import { samples } from '../page/src/text/model/samples.ts';

const launch = defineTool({
  name: 'launch',
  description: 'Launches.',
  input: { type: 'object', properties: { at: { type: 'string' } } },
  execute: () => 'launched',
});

/** Repetitions of 21 characters: just too many for marks, and more than enough for a link and for printing the value. */
const repetitions = process.env['HAFT_TEST_LONG'] === undefined ? 9_600 : 100_000;

// Skipped where no browser is installed; `.ci/run` installs one.
describe.skipIf(!hasChromium)('the page Text X-ray (skipped without Chromium)', () => {
  let fixture: PageFixture;

  beforeAll(async () => {
    const tools = createDispatcher({ registry: [launch], permission: allowAll });
    fixture = await openPageFixture(await makeDirectory(), { tools });
  });
  afterAll(() => fixture?.close());

  const open = async (query: Readonly<Record<string, string>>): Promise<void> => {
    const hash = `#/text?${new URLSearchParams(query).toString()}`;
    await goTo(fixture.page, hash);
    const text = query['text'] ?? samples.find(({ id }) => id === query['sample'])!.text;
    await fixture.page.until(`document.querySelector('.typed')?.value === ${JSON.stringify(text)}`);
    await fixture.page.until(`document.querySelector('#reading-note').innerText.includes(' read in ')`);
  };
  const paste = async (text: string): Promise<void> => {
    await fixture.page.evaluate("document.querySelector('.typed').focus(), document.querySelector('.typed').select()");
    await fixture.page.type(text);
  };
  const textsOf = (selector: string): Promise<readonly string[]> =>
    fixture.page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent)`);
  const untilText = (selector: string, text: string): Promise<void> =>
    fixture.page.until(
      `document.querySelector(${JSON.stringify(selector)})?.textContent.includes(${JSON.stringify(text)})`,
    );

  it('shows the value of pasted text, each repair, and its place in the text', async () => {
    await open({ sample: 'broken' });
    await paste(`{title: 'Ada', "langs": ["en", "fr",], "ok": True`);
    await untilText('[data-card=value] .risk', 'truncated');
    expect(JSON.parse((await textsOf('[data-card=value] .printed'))[0]!)).toMatchObject({ title: 'Ada' });
    const codes = await textsOf('[data-card=value] .repair-row .code');
    expect(codes).toEqual(expect.arrayContaining(['unquoted-key', 'single-quotes', 'trailing-comma']));
    expect((await textsOf('[data-card=value] .repair-row .why'))[codes.indexOf('trailing-comma')]).toBe(
      'JSON allows no comma before a closing bracket, so it was left out. trailing-comma',
    );
    expect(await textsOf('.twin mark')).toEqual(expect.arrayContaining(['title', "'Ada'", ',']));
    expect((await textsOf('#reading-note'))[0]).toMatch(
      /^49 characters read in .*: value truncated, \d repairs; 0 calls\.$/,
    );
  });

  it('follows typing', async () => {
    await paste('[1, 2');
    await untilText('[data-card=value] .risk', 'truncated');
    await fixture.page.type(', 3]');
    await untilText('[data-card=value] .risk', 'valid');
    expect(await textsOf('.twin mark')).toEqual([]);
    await fixture.page.press('Backspace');
    await fixture.page.until("document.querySelector('[data-card=value] .risk').textContent !== 'valid'");
  });

  it('reads calls with the tools of the program, and gives the reason of every rejection', async () => {
    await open({
      text: 'Now.\n<tool_call>{"name": "launch", "arguments": {"at": "noon",}}</tool_call>\n<tool_call>{"name": "land", "arguments": {}}</tool_call>',
    });
    await untilText('.found-calls .name', 'launch');
    expect(await textsOf('.found-calls .repair-row .code')).toEqual(['trailing-comma']);
    expect(await textsOf('.refusals > li')).toEqual([
      expect.stringMatching(/^land.*It was rejected, because no declared tool has this name\./),
    ]);
    await fixture.until('It begins with <tool_call>. This counts as a call, except in the middle of a sentence');
    expect((await textsOf('.twin mark.call')).join('')).toContain('"arguments": {"at": "noon",}');
    expect((await textsOf('.twin mark.rejected')).join('')).toContain('land');
    await fixture.until('Remaining text');
  });

  it('shows the reading at any point of a stream', async () => {
    const text = '<tool_call>{"name": "launch", "arguments": {"at": "noon"}}</tool_call>';
    await open({ text, stopped: 'stop' });
    const slideTo = (length: number): Promise<void> =>
      fixture.page.evaluate(`(() => {
        const slider = document.querySelector('input[type=range]');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(slider, ${length});
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
    await slideTo(50);
    await untilText('[data-card=calls] .risk', '0 found');
    expect((await textsOf('.to-come')).join('')).toBe(text.slice(50));
    await slideTo(text.length);
    await untilText('[data-card=calls] .risk', '1 found');
  });

  it('links marks and rows, by mouse and by keyboard', async () => {
    await open({ text: '{"a": 1, "b": 2,}' });
    const { x, y } = await fixture.page.evaluate<{ readonly x: number; readonly y: number }>(`(() => {
      const box = document.querySelector('.twin mark').getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    })()`);
    await fixture.page.point(x, y);
    await fixture.page.until("document.querySelector('.repair-row[data-active]')");
    await untilText('.mark-note', 'JSON allows no comma before a closing bracket, so it was left out.');
    await fixture.page.point(2, 2);
    await fixture.page.until("!document.querySelector('[data-active]')");
    await fixture.page.evaluate("document.querySelector('.repair-row').focus()");
    await fixture.page.until("document.querySelector('.twin mark.active')");
    await fixture.page.press('Enter');
    await fixture.page.until("document.querySelector('.repair-row[aria-pressed=true]')");
    await fixture.page.press('Escape');
    await fixture.page.until("!document.querySelector('.repair-row[aria-pressed=true]')");
  });

  it('places the marks exactly behind the characters, even where lines wrap', async () => {
    await open({ text: `{"text": "${'a wrapped word and\\tmore '.repeat(60)}", 'last': 1}\n\n` });
    const boxes = await fixture.page.evaluate<readonly number[][]>(
      "['.typed', '.twin'].map((one) => { const { x, y, width, height } = document.querySelector(one).getBoundingClientRect(); return [x, y, width, height]; })",
    );
    expect(boxes[0]).toEqual(boxes[1]);
    const [scrolls, height] = await fixture.page.evaluate<readonly [number, number]>(
      "[document.querySelector('.typed').scrollHeight, document.querySelector('.typed').clientHeight]",
    );
    expect(scrolls).toBeLessThanOrEqual(height);
  });

  it('keeps the text in its URL, and never the token', async () => {
    await paste('{"kept": tru');
    await fixture.page.until("location.hash.includes('kept')");
    const address = await fixture.page.evaluate<string>('location.href');
    expect(address).not.toContain(fixture.workbench.token);
    await open({ sample: 'python' });
    await fixture.page.evaluate(`location.href = ${JSON.stringify(address)}`);
    await fixture.page.until(`document.querySelector('.typed').value === '{"kept": tru'`);
  });

  it('keeps the text when the user visits another page, also one that is too long for a URL', async () => {
    for (const text of ['{"left": [1, 2', `[${'"a long text", '.repeat(8_000)}1]`]) {
      await open({ text: '[]' });
      await fixture.page.evaluate(`(() => {
        const typed = document.querySelector('.typed');
        Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(typed, ${JSON.stringify(text)});
        typed.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
      await untilText('#reading-note', `${text.length.toLocaleString('en')} characters read in`);
      await fixture.show('#/tools', 'launch');
      await fixture.page.evaluate(`document.querySelector('.top nav a[href="#/text"]').click()`);
      await fixture.page.until(`document.querySelector('.typed')?.value === ${JSON.stringify(text)}`);
    }
  });

  it('reads nothing from an empty text', async () => {
    await open({ text: '[1]' });
    await fixture.page.evaluate("document.querySelector('.typed').focus(), document.querySelector('.typed').select()");
    await fixture.page.press('Backspace');
    await fixture.until('There is no text yet');
    expect(await textsOf('[data-card]')).toEqual([]);
  });

  it('explains mistakes in declared tools, and keeps the last valid ones', async () => {
    await open({ text: '{"name": "land", "arguments": {}}', tools: '{"name": "land"}' });
    await untilText('.found-calls .name', 'land');
    await fixture.page.evaluate(
      `document.querySelector('.fold').open = true; document.querySelector('.declared textarea').focus()`,
    );
    await fixture.page.type(' and more');
    await fixture.until('This is not JSON');
    expect(await textsOf('.found-calls .name')).toEqual(['land']);
  });

  it('never treats text as markup', async () => {
    const attack = '<img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)>\u202Egpj\u001B[31m';
    const tools = JSON.stringify([{ name: attack }, { name: 'read' }]);
    for (const text of [
      attack,
      JSON.stringify({ [attack]: [attack] }),
      `{'${attack}': ${attack}, /* ${attack} */ "__proto__": {"${attack}": 1}`,
      `<tool_call>{"name": ${JSON.stringify(attack)}, "arguments": {"${attack}": "${attack}",}}</tool_call>${attack}`,
      `</div></textarea>${attack}`,
    ])
      await open({ text, tools, schema: `{"title": ${JSON.stringify(attack)}}` });
    expect(await fixture.page.evaluate('document.querySelectorAll("main img, main svg, main script").length')).toBe(0);
  });

  it('stays usable with a text that is too long for marks, for a link and for its whole value', async () => {
    // In a new document: in one that has shown a long text before, Chromium takes twice as long for another.
    await fixture.page.open(fixture.served.url);
    await open({ sample: 'broken' });
    await fixture.page.evaluate(`(() => {
      const typed = document.querySelector('.typed');
      const text = '[' + '{"a": 1, b: "two",}, '.repeat(${repetitions});
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(typed, text);
      typed.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    await untilText('#reading-note', `${(repetitions * 21 + 1).toLocaleString('en')} characters`);
    await untilText('#reading-note', 'Too long for marks');
    await fixture.until('The text is too long for a link');
    expect((await textsOf('[data-card=value] .printed'))[0]!.length).toBeLessThan(110_000);
    expect(await textsOf('[data-card=value] .repair-row')).toHaveLength(200);
    await paste('[1]');
    await untilText('[data-card=value] .risk', 'valid');
  });

  it('shows every sample without accessibility violations or errors, and asks the program for nothing but its tools', async () => {
    // A mark lies exactly under its text: it has no ink of its own and takes no room.
    const marks = `[...document.querySelectorAll('.twin mark')].map((one) => getComputedStyle(one))`;
    const visible = `${marks}.filter((one) => one.color !== 'rgba(0, 0, 0, 0)' || one.borderLeftWidth !== '0px').length`;
    let marked = 0;
    for (const { id } of samples) {
      await open({ sample: id });
      expect({ id, visible: await fixture.page.evaluate(visible) }).toEqual({ id, visible: 0 });
      marked += await fixture.page.evaluate<number>(`${marks}.length`);
    }
    expect(marked).toBeGreaterThan(samples.length);
    for (const [width, height, dark] of [
      [320, 700, true],
      [1280, 860, false],
    ] as const) {
      await fixture.page.screen({ width, height, dark });
      await open({ sample: 'tags' });
      expect({ width, found: await fixture.audit() }).toEqual({ width, found: [] });
    }
    expect(fixture.page.complaints).toEqual([]);
    const base = fixture.served.url.replace(/#.*/, '');
    const asked = fixture.page.requests
      .filter((url) => url.startsWith(`${base}api/`))
      .map((url) => url.slice(base.length));
    expect(new Set(asked)).toEqual(
      new Set(['api/changes', 'api/approvals', 'api/servers', 'api/jobs', 'api/tools', 'api/callable-tools']),
    );
  });
});
