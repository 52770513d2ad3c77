import { createHash } from 'node:crypto';
import { statSync, utimesSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listPageFiles } from './page-files.ts';
import { serveRepairPage, type RepairPage } from './serve-repair-page.ts';

let page: RepairPage;
beforeAll(async () => {
  page = await serveRepairPage({ port: 0 });
});
afterAll(() => page.close());

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a path unchanged; `fetch` would normalise it. */
function ask(path: string, { method = 'GET', host }: { method?: string; host?: string } = {}): Promise<Answer> {
  const { hostname, port } = new URL(page.address);
  const headers = host === undefined ? {} : { host };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

interface ImportMap {
  readonly imports: Readonly<Record<string, string>>;
}

function importMapOf(html: string): { readonly text: string; readonly imports: ImportMap['imports'] } {
  const text = /<script type="importmap">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
  return { text, imports: (JSON.parse(text) as ImportMap).imports };
}

describe('serveRepairPage', () => {
  test('serves the document and existing modules, each with its type', async () => {
    const { status, headers, body } = await ask('/');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const { imports } = importMapOf(body);
    expect(Object.keys(imports)).toEqual(['@haft/repair']);
    const main = /<script type="module" src="([^"]+)">/.exec(body)?.[1] ?? '';
    for (const path of [main, ...Object.values(imports)]) {
      const module = await ask(path);
      expect(module.status, path).toBe(200);
      expect(module.headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(module.body).not.toMatch(/^import type /m);
    }
    expect((await ask('/style.css')).headers['content-type']).toBe('text/css; charset=utf-8');
    expect((await ask('/icon.svg')).headers['content-type']).toBe('image/svg+xml');
  });

  test('allows only its own modules and the import map to run', async () => {
    const { headers, body } = await ask('/');
    const policy = String(headers['content-security-policy']).split('; ');
    const hash = createHash('sha256').update(importMapOf(body).text).digest('base64');
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`);
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]),
    );
    expect(policy.join(' ')).not.toContain('unsafe');
    const scripts = body.match(/<script[^>]*>/g);
    expect(scripts).toHaveLength(2);
    expect(body).not.toMatch(/\son\w+=|\sstyle=|https?:/);
  });

  test('forbids type sniffing, caching and sharing', async () => {
    for (const path of ['/', '/style.css', '/no-such-file']) {
      expect((await ask(path)).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      });
    }
  });

  test('lets browsers cache the modules, whose URLs change with any file of the page', async () => {
    const { imports } = importMapOf((await ask('/')).body);
    const kept = await ask(imports['@haft/repair'] ?? '');
    expect(kept.headers['cache-control']).toBe('private, max-age=31536000, immutable');
    expect(imports['@haft/repair']).toMatch(/^\/edition-[0-9a-f]{16}\/modules\/repair\/index\.[jt]s$/);
    const path = '/modules/repair/index.ts';
    expect((await ask(path)).headers['cache-control']).toBe('no-store');
    const [file] = [...listPageFiles().files.values()];
    const { atime, mtime } = statSync(file?.path ?? '');
    utimesSync(file?.path ?? '', atime, new Date(mtime.getTime() + 1_000));
    try {
      expect(importMapOf((await ask('/')).body).imports).not.toEqual(imports);
    } finally {
      utimesSync(file?.path ?? '', atime, mtime);
    }
  });

  test.each([
    '/edition-0123456789abcdef/',
    '/edition-0123456789abcdef/../package.json',
    '/edition-xyz/style.css',
    '/../package.json',
    '/page/../../../package.json',
    '/page/..%2f..%2f..%2fpackage.json',
    '/page/%2e%2e/page-files.ts',
    '/page/..\\page-files.ts',
    '/modules/repair/../package.json',
    '/modules/repair//index.ts',
    '//etc/passwd',
    '/etc/passwd',
    'file:///etc/passwd',
    '/page/main.ts%00.css',
    '/page/',
    '/page/main.test.ts',
    '/page/tsconfig.json',
    '/index.html',
    '/__proto__',
    '/constructor',
  ])('serves nothing at %j', async (path) => {
    const { status, body } = await ask(path);
    expect({ status, body }).toEqual({ status: 404, body: 'There is no such file.\n' });
  });

  test('serves no tests and no test data', async () => {
    expect((await ask('/page/samples.ts')).status).toBe(200);
    expect((await ask('/page/samples.test.ts')).status).toBe(404);
    expect((await ask('/modules/repair/json.ts')).status).toBe(200);
    expect((await ask('/modules/repair/fixtures/prefix-value.ts')).status).toBe(404);
  });

  test('responds only to names of this machine', async () => {
    const { port } = new URL(page.address);
    expect((await ask('/', { host: `localhost:${port}` })).status).toBe(200);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      'localhost',
      `localhost:${Number(port) + 1}`,
      `127.0.0.1:${port}, evil.example`,
      ' ',
    ]) {
      const { status, body } = await ask('/', { host });
      expect(status, host).toBe(421);
      expect(body).not.toContain('<');
    }
  });

  test('accepts only reads', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
      const { status, headers } = await ask('/', { method });
      expect(status, method).toBe(405);
      expect(headers['allow']).toBe('GET, HEAD');
    }
    const head = await ask('/style.css', { method: 'HEAD' });
    expect({ status: head.status, body: head.body }).toEqual({ status: 200, body: '' });
    expect(Number(head.headers['content-length'])).toBeGreaterThan(1_000);
  });

  test('listens on loopback', () => {
    expect(new URL(page.address).hostname).toBe('127.0.0.1');
  });
});
