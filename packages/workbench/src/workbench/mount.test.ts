import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowAll, createDispatcher, defineTool } from '@haft/core';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPage } from '../http/page-files.ts';
import { createWorkbenchWith, type Workbench } from './create-workbench.ts';
import { createNodeHandler } from './node-handler.ts';

interface ExpressApp extends RequestListener {
  use(path: string, handler: unknown): void;
}
const express = createRequire(import.meta.url)('express') as () => ExpressApp;

const token = 'a-token-for-the-tests';
const greet = defineTool({
  name: 'greet',
  description: 'Greets.',
  kind: 'read',
  input: { type: 'object', properties: { name: { type: 'string' } } },
  execute: (args) => `Hello, ${(args as { readonly name: string }).name}!`,
});

function open(basePath: string): Workbench {
  const directory = mkdtempSync(join(tmpdir(), 'haft-mount-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'index.html'), '<script src="./assets/index.js"></script>');
  const tools = createDispatcher({ registry: [greet], permission: allowAll });
  return createWorkbenchWith(openPage(directory), { tools, basePath, token });
}

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Uses everything that a mounted workbench needs: data, an action with a body, a stream, and the page with and without a slash. */
async function use(base: string, path: string, ask: typeof fetch): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const tools = await ask(`${base}${path}/api/tools`, { headers });
  expect(await tools.json()).toMatchObject([{ name: 'greet' }]);
  const body = JSON.stringify({ name: 'greet', arguments: { name: 'Ana' } });
  const called = await ask(`${base}${path}/api/call`, { method: 'POST', headers, body });
  expect(await called.json()).toMatchObject({ isOk: true, forModel: 'Hello, Ana!' });
  const leaving = new AbortController();
  const stream = await ask(`${base}${path}/api/changes`, { headers, signal: leaving.signal });
  const { value } = await stream.body!.getReader().read();
  expect(new TextDecoder().decode(value)).toContain('"tools"');
  leaving.abort();
  for (const [slash, folder] of [
    ['/', ''],
    ['', `${path.split('/').at(-1)}/`],
  ] as const) {
    const page = await ask(`${base}${path}${slash}`, { redirect: 'manual' });
    expect([page.status, await page.text()]).toEqual([200, `<script src="./${folder}assets/index.js"></script>`]);
  }
  expect((await ask(`${base}${path}/api/tools/%`, { headers })).status).toBe(404);
  expect((await ask(`${base}${path}/api/tools`)).status).toBe(401);
}

describe('a workbench mounted in another server', () => {
  it('works in Node http, beside other pages', async () => {
    const workbench = open('/haft/');
    const handler = createNodeHandler(workbench);
    const base = await listen((request, response) => {
      if (request.url?.startsWith('/haft') === true) handler(request, response);
      else response.end('the page of the program');
    });
    await use(base, '/haft', fetch);
    expect(await (await fetch(base)).text()).toBe('the page of the program');
    workbench.close();
  });

  it('works in Express, which shortens the URL of a mounted handler', async () => {
    const workbench = open('/dev/haft/');
    const app = express();
    app.use('/dev/haft', createNodeHandler(workbench));
    await use(await listen(app), '/dev/haft', fetch);
    workbench.close();
  });

  it('works in Hono', async () => {
    const workbench = open('/haft/');
    const app = new Hono();
    for (const path of ['/haft', '/haft/*']) app.all(path, (context) => workbench.fetch(context.req.raw));
    await use('http://localhost', '/haft', (async (url: string, init: RequestInit) => app.request(url, init)) as never);
    workbench.close();
  });

  it('works as a route handler of Next, which passes the parameters of the route and removes the last slash', async () => {
    const workbench = open('/haft/');
    const handler: (request: Request, context: object) => Promise<Response> = workbench.fetch;
    const ask = async (url: string, init?: RequestInit): Promise<Response> =>
      handler(new Request(url, init), { params: Promise.resolve({ path: ['api'] }) });
    await use('http://localhost', '/haft', ask as never);
    workbench.close();
  });
});
