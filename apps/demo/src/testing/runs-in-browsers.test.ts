import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { chromiumPath, startChromium, type Browser } from '@haft-tooling/browser';

/** Defines a tool and calls it with damaged arguments, which uses `core`, `schema` and `repair`. */
const work = `
import { asCallableTools, createDispatcher, defineTool, renderForModel } from '@haft/core';
import { compileSchema } from '@haft/schema';
import { extractToolCalls } from '@haft/repair';
const input = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
const add = defineTool({ name: 'add', description: 'Adds.', kind: 'read', input, execute: ({ a }) => String(a + 1) });
const { dispatch, snapshot } = createDispatcher({ registry: [add] });
export async function answer() {
  const { calls } = extractToolCalls('<tool_call>{name: "add", arguments: {a: 5}}</tool_call>', { tools: asCallableTools(snapshot()) });
  const result = await dispatch({ id: 'call_1', name: 'add', arguments: "{a: '2',}" });
  return [calls.length, compileSchema(input).validate({ a: 'x' }).ok, renderForModel(result)].join();
}`;
const expected = '1,false,3';
const worker = `import { answer } from 'work';
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('message', async ({ data, ports }) => (ports?.[0] ?? globalThis).postMessage(await answer()));`;

async function bundle(program: string): Promise<string> {
  const sources: Readonly<Record<string, string>> = { '\0program': program, '\0work': work };
  const bundled = await rolldown({
    input: '\0program',
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    platform: 'browser',
    resolve: { conditionNames: ['@haft/source', 'module', 'import', 'browser', 'default'] },
    plugins: [
      {
        name: 'programs',
        resolveId: (id) => (id === 'work' ? '\0work' : id === '\0program' ? id : undefined),
        load: (id) => sources[id],
      },
    ],
  });
  try {
    return (await bundled.generate({ format: 'esm', codeSplitting: false })).output[0].code;
  } finally {
    await bundled.close();
  }
}

const isWithoutBrowser = chromiumPath === undefined;

describe.skipIf(isWithoutBrowser)('repair, schema and core', { timeout: 60_000 }, () => {
  let browser: Browser;
  let close: () => void;

  beforeAll(async () => {
    const files = new Map([
      ['/', ['text/html', '<!doctype html><title>work</title>']],
      ['/page.js', ['text/javascript', await bundle(`import { answer } from 'work'; export { answer };`)]],
      ['/worker.js', ['text/javascript', await bundle(worker)]],
    ]);
    const server = createServer((request, response) => {
      const [type, text] = files.get(request.url ?? '') ?? [];
      response.writeHead(text === undefined ? 404 : 200, { 'content-type': `${type ?? 'text/plain'}; charset=utf-8` });
      response.end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    close = () => void server.close();
    browser = await startChromium(chromiumPath ?? '');
    await browser.page.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    close();
  });

  test('run in a page', async () => {
    expect(await browser.page.evaluate(`import('/page.js').then(({ answer }) => answer())`)).toBe(expected);
  });

  test('run in a worker', async () => {
    const asked = `new Promise((resolve, reject) => {
      const worker = new Worker('/worker.js', { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage('');
    })`;
    expect(await browser.page.evaluate(asked)).toBe(expected);
  });

  test('run in a service worker', async () => {
    const asked = `navigator.serviceWorker.register('/worker.js', { type: 'module' })
      .then(() => navigator.serviceWorker.ready)
      .then(({ active }) => new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => resolve(data);
        active.postMessage('', [port2]);
      }))`;
    expect(await browser.page.evaluate(asked)).toBe(expected);
  });
});
