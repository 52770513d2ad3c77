import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { allowAll, createDispatcher, createWorkspace, defineTool, type ToolSource } from '@haft/core';
import { createJournal, type Journal } from '@haft/journal';
import { recordRun, replayRun } from '@haft/runner';
import { scriptedModel } from '@haft/runner/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, makeDirectory, openPageFixture, type PageFixture } from './fixtures/page-fixture.ts';
import { openRuns, type RunStore } from './runs/open-runs.ts';

const hostile = '</style><script>document.title="broken"</script><img src=x onerror="document.title=1">';

// Skipped where no browser is installed; `.ci/run` installs one.
describe.skipIf(!hasChromium)('the pages Changes and Runs (skipped without Chromium)', () => {
  let folder: string;
  let journal: Journal;
  let runs: RunStore;
  let tools: ToolSource;
  let fixture: PageFixture;

  beforeAll(async () => {
    const directory = realpathSync(await makeDirectory());
    folder = join(directory, 'work');
    mkdirSync(folder);
    writeFileSync(join(folder, 'list.txt'), 'milk\n');
    const workspace = createWorkspace({ cwd: folder, permission: allowAll });
    journal = await createJournal({ workspace, directory: join(directory, 'journal') });
    await journal.refresh();
    const note = defineTool({
      name: 'note',
      description: 'Writes a file.',
      input: { type: 'object', properties: { name: { type: 'string' }, text: { type: 'string' } } },
      execute: (args) => {
        const { name, text } = args as { readonly name: string; readonly text: string };
        writeFileSync(join(folder, name), text);
        return `wrote ${name} ${hostile}`;
      },
    });
    tools = createDispatcher({ registry: [note], workspace, middleware: [journal.middleware] });
    runs = openRuns({ directory: join(directory, 'runs'), replay: replayRun });
    fixture = await openPageFixture(directory, { tools, journal, runs });
  });
  afterAll(async () => {
    await journal?.close();
    await fixture?.close();
  });

  const write = (name: string, text: string): Promise<unknown> =>
    tools.dispatch({ id: `write_${name}`, name: 'note', arguments: { name, text } });

  it('show an explanation while there are no changes and no runs', async () => {
    await fixture.show('#/changes', 'No call has changed a file');
    expect(await fixture.audit()).toEqual([]);
    await fixture.show('#/runs', 'No runs yet');
    expect(await fixture.audit()).toEqual([]);
  });

  it('shows the diff of a call, and undoes that call', async () => {
    await write('list.txt', 'milk\nbread\n');
    await fixture.show('#/changes/j1', '+bread');
    await fixture.until('You or another program may have changed these paths');
    expect(await fixture.page.evaluate(`document.querySelector('.list a .line').innerText`)).toBe('modify list.txt');
    await fixture.press('Undo this call');
    await fixture.until('The changes of 1 path were undone.');
    expect(readFileSync(join(folder, 'list.txt'), 'utf8')).toBe('milk\n');
    await fixture.until('undone');
    await fixture.until('The calls left all files as they were.');
  });

  it('leads from a call on the page Tools to what it changed', async () => {
    const given = encodeURIComponent(JSON.stringify({ name: 'list.txt', text: 'rice\n' }));
    await fixture.show(`#/tools/note?arguments=${given}`, 'Arguments as text');
    await fixture.press('Call');
    await fixture.until('See what it changed, and undo it');
    await fixture.page.evaluate(`document.querySelector('.call-outcome a').click()`);
    await fixture.until('+rice');
    await fixture.press('Undo this call');
    await fixture.until('The changes of 1 path were undone.');
  });

  it('shows a conflict before an undo, and then keeps that file', async () => {
    await write('list.txt', 'eggs\n');
    await write('other.txt', 'new\n');
    const eggs = journal.calls().findLast(({ callId }) => callId === 'write_list.txt');
    writeFileSync(join(folder, 'list.txt'), 'my own edit\n');
    await fixture.show(`#/changes/${eggs!.id}`, 'list.txt has been changed since');
    expect(await fixture.audit()).toEqual([]);
    await fixture.press('Undo 2 calls, except these conflicts');
    await fixture.until('The changes of 1 path were undone, 1 is left as it is.');
    expect(readFileSync(join(folder, 'list.txt'), 'utf8')).toBe('my own edit\n');
    expect(() => readFileSync(join(folder, 'other.txt'))).toThrow('ENOENT');
  });

  it('shows a recorded run by turns, with its calls on a timeline', async () => {
    const model = scriptedModel([
      {
        text: 'Both at once.',
        calls: [
          { name: 'note', arguments: "{name: 'a.txt', text: 'a',}" },
          { name: 'note', arguments: { name: 'b.txt', text: 'b' } },
        ],
        usage: { inputTokens: 1_200, outputTokens: 80, costUsd: 0.002 },
      },
      { text: `Done ${hostile}`, usage: { inputTokens: 1_400, outputTokens: 9, costUsd: 0.003 } },
    ]);
    await recordRun({ model, tools, prompt: 'Write two notes.' }, runs.begin());
    const [run] = await runs.list();
    expect(run).toMatchObject({ state: 'finished', turns: 2, calls: 2, tokens: 2_689, prompt: 'Write two notes.' });
    await fixture.show(`#/runs/${run!.id}`, 'Both at once.');
    await fixture.until('1,200 tokens in, 80 out');
    expect(await fixture.page.evaluate('document.querySelectorAll(".timeline .span").length')).toBe(2);
    await fixture.page.evaluate('document.querySelector(".call").open = true');
    await fixture.until('As the model wrote them');
    expect(await fixture.page.evaluate('document.querySelectorAll("main img, main script").length')).toBe(0);
    for (const [width, height, dark] of [
      [320, 700, false],
      [1280, 860, true],
      [3840, 2160, false],
    ] as const) {
      await fixture.page.screen({ width, height, dark });
      expect({ width, found: await fixture.audit() }).toEqual({ width, found: [] });
    }
    await fixture.page.screen({ width: 1280, height: 860 });
  });

  it('replays a run exactly, and up to the turn where an edited result makes it diverge', async () => {
    await fixture.press('Replay');
    await fixture.until('The run repeats exactly: 2 turns, finished.');
    await fixture.page.evaluate(`(() => {
      const select = document.querySelector('section[aria-label="Replay"] select');
      const option = [...select.options].find(({ label }) => label === 'turn 1: the result of call 1, note');
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, option.value);
      select.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await fixture.page.evaluate(`document.querySelector('section[aria-label="Replay"] textarea').select()`);
    await fixture.page.type('the disk is full');
    await fixture.press('Replay');
    await fixture.until('The run diverges in turn 2: the request to the model differs');
    await fixture.until('the disk is full');
  });

  it('exports a run as one HTML file that opens without a server and runs nothing', async () => {
    await fixture.page.evaluate(`(() => {
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => { window.exported = blob; return make.call(URL, blob); };
    })()`);
    await fixture.press('Export as one HTML file');
    await fixture.page.until('window.exported !== undefined');
    const html = await fixture.page.evaluate<string>('window.exported.text()');
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const file = join(fixture.directory, 'run.html');
    writeFileSync(file, html);
    const other = await fixture.browser.openPage();
    await other.open(pathToFileURL(file).href);
    const text = await other.evaluate<string>('document.body.innerText');
    expect(text).toContain('Both at once.');
    expect(text).toContain('Done </style><script>');
    expect(await other.evaluate('document.title')).toBe('Write two notes.');
    expect(await other.evaluate('document.querySelectorAll("script, img").length')).toBe(0);
    // The bars of the timeline have their positions, so the styles were applied.
    expect(await other.evaluate('getComputedStyle(document.querySelector(".span")).position')).toBe('absolute');
    expect(other.requests.filter((url) => !url.startsWith('file:') && url !== 'about:blank')).toEqual([]);
    expect(other.complaints).toEqual([]);
    await other.evaluate(axe);
    for (const dark of [false, true]) {
      await other.screen({ width: 1280, height: 860, dark });
      expect(await other.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([]);
    }
  });

  it('finds a run by any text in it, and compares two runs turn by turn', async () => {
    const model = scriptedModel([
      { text: 'One at a time.', calls: [{ name: 'note', arguments: { name: 'a.txt', text: 'tomatoes' } }] },
      'Done.',
    ]);
    await recordRun({ model, tools, prompt: 'Write one note.' }, runs.begin());
    const [one, two] = await runs.list();
    expect(await runs.search('TOMATOES')).toEqual([one!.id]);
    await fixture.show('#/runs', '2 of 2 runs');
    await fixture.page.evaluate(`document.querySelector('.list-head input[type=search]').focus()`);
    await fixture.page.type('tomatoes');
    await fixture.until('1 of 2 runs');
    await fixture.show(`#/runs/${one!.id}`, 'Compare with…');
    await fixture.page.evaluate(`(() => {
      const select = document.querySelector('select[aria-label="Compare with another run"]');
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, '${two!.id}');
      select.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await fixture.until('The runs differ from turn 1 on: Message 1 of the user');
    await fixture.until('Call 2: missing in this run');
    expect(await fixture.page.evaluate('location.hash')).toBe(`#/runs/${one!.id}?with=${two!.id}`);
    expect(await fixture.audit()).toEqual([]);
    await fixture.page.screen({ width: 320, height: 700, dark: true });
    expect(await fixture.audit()).toEqual([]);
    await fixture.page.screen({ width: 1280, height: 860 });
    // Leaves the page, which forgets its filter.
    await fixture.show('#/tools', 'note');
  });

  it('opens a recording that was made elsewhere, and says which line of a file is wrong', async () => {
    const [run] = await runs.list();
    const { text } = (await runs.read(run!.id))!;
    await fixture.show('#/runs', 'Open a recording');
    await fixture.chooseFile('wrong.jsonl', '{"type":"run"}\nnothing\n{"type":"end"}');
    await fixture.until('wrong.jsonl: line 2: not a line of a recording');
    await fixture.chooseFile('elsewhere.jsonl', text);
    await fixture.until('3 of 3 runs');
    expect(fixture.page.complaints.filter((one) => !one.includes('status of 400'))).toEqual([]);
  });
});
