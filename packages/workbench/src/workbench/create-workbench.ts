import { randomBytes } from 'node:crypto';
import { HaftError } from '@haft/core';
import { checkOptions } from '@haft/core/options';
import { sectionNames } from '../contract/page-data.ts';
import { createChangeStream } from '../http/change-stream.ts';
import { checkCaller, checkHost } from '../http/check-access.ts';
import { findPage, openPage, type PageFiles } from '../http/page-files.ts';
import { readBody } from '../http/read-body.ts';
import { refuse } from '../http/respond.ts';
import type { Route } from '../http/route.ts';
import { createPageState } from './workbench-state.ts';
import { createRoutes } from './routes.ts';
import { createOwnCalls } from '../calls/run-own-call.ts';
import { workbenchTable, type WorkbenchOptions } from './workbench-options.ts';

/** A page that shows the activity of a running program. */
export interface Workbench {
  /** Answers a request. Mount it in any server that has `Request` and `Response`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Token that the page needs. It belongs in the fragment of the URL (`#token=…`), which browsers do not send. */
  readonly token: string;
  /** Ends all streams, cancels calls of the page and denies waiting questions. */
  close(): void;
}

const defaultHosts = ['localhost', '127.0.0.1', '[::1]'];
const tokenBytes = 24;

/**
 * Creates a workbench for a toolkit or a source of tools. It does not listen by itself: pass `fetch` to a server, or
 * use `serveWorkbench`.
 *
 * @throws HaftError `INVALID_OPTION`.
 */
export function createWorkbench(options: WorkbenchOptions): Workbench {
  return createWorkbenchWith(openPage(findPage()), options);
}

/** Creates a workbench with the page of another directory. */
export function createWorkbenchWith(page: PageFiles, options: WorkbenchOptions): Workbench {
  checkOptions('createWorkbench', options, workbenchTable, '{ toolkit }');
  checkSource(options);
  const {
    basePath = '/',
    allowedHosts = defaultHosts,
    token = randomBytes(tokenBytes).toString('base64url'),
  } = options;
  const state = createPageState(options);
  const own = createOwnCalls(state.tools);
  const routes = createRoutes(state, own);
  const stream = createChangeStream(state.subscribe, sectionNames);
  const base = basePath.endsWith('/') ? basePath : `${basePath}/`;
  const rules = { allowedHosts: allowedHosts.map((host) => host.toLowerCase()), token };

  const answerData = async (request: Request, path: string): Promise<Response> => {
    const refusal = checkCaller(request, rules);
    if (refusal) return refuse(refusal.status, refusal.message);
    if (path === 'changes' && request.method === 'GET') return stream.open(request.signal);
    const parts = path.split('/');
    const fitting = routes.filter((route) => fits(route, parts));
    const route = fitting.find(({ method }) => method === request.method);
    if (fitting.length === 0) return refuse(404, 'path: unknown path');
    if (!route) return refuse(405, `method: expected ${fitting[0]!.method}`, { allow: fitting[0]!.method });
    const parameter = decoded(parts[1] ?? '');
    if (parameter === undefined) return refuse(404, 'path: not valid (expected percent-encoded UTF-8)');
    if (route.method === 'GET') return route.answer(parameter, {});
    const body = await readBody(request);
    return body.ok ? route.answer(parameter, body.value) : refuse(body.status, body.message);
  };

  return {
    token,
    async fetch(request) {
      const refusal = checkHost(request, rules);
      if (refusal) return refuse(refusal.status, refusal.message);
      const { pathname } = new URL(request.url);
      // Does not redirect to the path with a slash, because servers such as Next redirect back to the path without it.
      if (`${pathname}/` === base) return page.serve('', `${pathname.split('/').at(-1)}/`);
      if (!pathname.startsWith(base)) return refuse(404, `path: not served (expected a path below ${base})`);
      const path = pathname.slice(base.length);
      if (path.startsWith('api/')) return answerData(request, path.slice('api/'.length));
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return refuse(405, 'method: expected GET', { allow: 'GET, HEAD' });
      return page.serve(path);
    },
    close() {
      stream.close();
      own.cancelAll();
      options.chat?.stop();
      options.approvals?.denyAll('the workbench was closed');
    },
  };
}

function checkSource({ toolkit, tools }: WorkbenchOptions): void {
  if ((toolkit === undefined) !== (tools === undefined)) return;
  const problem = toolkit === undefined ? 'toolkit is missing' : 'toolkit and tools exclude each other';
  throw new HaftError('INVALID_OPTION', `createWorkbench: ${problem} (expected { toolkit } or { tools })`);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function fits({ path }: Route, parts: readonly string[]): boolean {
  const own = path.split('/');
  return own.length === parts.length && own.every((part, index) => part === '*' || part === parts[index]);
}
