import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { listPageFiles, readDocument, withoutEdition, type PageFiles } from './page-files.ts';

/** A page that is being served. */
export interface RepairPage {
  /** Its URL on this machine. */
  readonly address: string;
  /** Also ends connections. */
  close(): Promise<void>;
}

/** Options of {@link serveRepairPage}. */
export interface RepairPageOptions {
  /** 0 uses any free port. */
  readonly port: number;
}

/**
 * Serves the repair page on loopback: a fixed list of files. Requests must name this machine as their host, so that no
 * other site can make a browser read the page.
 * @throws the system's error if the port is unavailable.
 */
export async function serveRepairPage({ port }: RepairPageOptions): Promise<RepairPage> {
  const page = listPageFiles();
  const server = createServer((request, response) => {
    answer(request, response, page).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'The file could not be read.');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, page: PageFiles): Promise<void> {
  if (!isOwnHost(request)) return refuse(response, 421, 'This page is served to 127.0.0.1 and localhost only.');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return refuse(response, 405, 'Pages can only be read.');
  }
  const { path, mayBeKept } = withoutEdition((request.url ?? '').replace(/\?.*$/s, ''));
  if (path === '/' && !mayBeKept) {
    const { html, importMap } = readDocument(page);
    response.setHeader('content-security-policy', contentPolicy(importMap));
    return send(response, 200, 'text/html; charset=utf-8', html);
  }
  const file = page.files.get(path);
  if (!file) return refuse(response, 404, 'There is no such file.');
  const text = await readFile(file.path, 'utf8');
  if (mayBeKept) response.setHeader('cache-control', 'private, max-age=31536000, immutable');
  send(response, 200, file.type, file.path.endsWith('.ts') ? stripTypeScriptTypes(text) : text);
}

/** Allows only scripts of this server and the import map; no requests, forms, frames or markup from text. */
function contentPolicy(importMap: string): string {
  const hash = createHash('sha256').update(importMap).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function isOwnHost(request: IncomingMessage): boolean {
  const { host } = request.headers;
  const port = request.socket.localPort;
  const names = ['127.0.0.1', 'localhost'];
  return names.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  send(response, status, 'text/plain; charset=utf-8', `${sentence}\n`);
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  const bytes = Buffer.from(body);
  if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'no-store');
  response.writeHead(status, {
    'content-type': type,
    'content-length': bytes.length,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  // Node omits the body for HEAD requests.
  response.end(bytes);
}
