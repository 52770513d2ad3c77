import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryDocuments } from '@haft/builtins';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createToolkit } from './create-toolkit.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'toolkit-served-'));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

/** Starts an HTTP session and returns a function that calls a tool in it. */
async function openSession(url: string, who?: string): Promise<(name: string, args: object) => Promise<string>> {
  const post = (body: object, id?: string | null): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(who === undefined ? {} : { 'x-who': who }),
        ...(id == null ? {} : { 'mcp-session-id': id }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const begun = await post({ method: 'initialize', params });
  await begun.text();
  const id = begun.headers.get('mcp-session-id');
  return async (name, args) => (await post({ method: 'tools/call', params: { name, arguments: args } }, id)).text();
}

describe('a toolkit that is served over HTTP with sessions', () => {
  it('separates the read files, todos, memories and grants of callers without a login', async () => {
    await writeFile(join(cwd, 'notes.txt'), 'old\n');
    const asked: string[] = [];
    const toolkit = await createToolkit({
      cwd,
      builtins: { memory: { session: createMemoryDocuments() } },
      ask: ({ sessionId, tool }) => {
        asked.push(`${tool} ${sessionId}`);
        return { action: 'allow', scope: 'session' };
      },
    });
    onTestFinished(() => toolkit.dispose());
    const server = await toolkit.serve({ http: { sessions: true } });
    const { url } = await server.ready;
    const [ada, eve] = [await openSession(url!), await openSession(url!)];

    expect(await ada('read', { path: 'notes.txt' })).toContain('old');
    expect(await eve('write', { path: 'notes.txt', content: 'eve' })).toContain('NOT_READ');
    expect(await ada('write', { path: 'notes.txt', content: 'ada' })).not.toContain('Error');
    expect(await readFile(join(cwd, 'notes.txt'), 'utf8')).toContain('ada');

    await ada('todo', { todos: [{ content: 'Buy tea', status: 'pending' }] });
    expect(await ada('todo', {})).toContain('Buy tea');
    expect(await eve('todo', {})).not.toContain('Buy tea');

    await ada('remember', { content: 'Ada likes green tea.', scope: 'session' });
    expect(await ada('recall', { scope: 'session' })).toContain('green tea');
    expect(await eve('recall', { scope: 'session' })).not.toContain('green tea');

    // A grant only applies to its caller: the caller's next call needs no question, but the same call of another caller
    // does.
    const before = asked.length;
    await ada('write', { path: 'notes.txt', content: 'ada again' });
    expect(asked).toHaveLength(before);
    await eve('read', { path: 'notes.txt' });
    expect(await eve('write', { path: 'notes.txt', content: 'eve' })).not.toContain('Error');
    const writers = asked.filter((question) => question.startsWith('write ')).map((question) => question.split(' ')[1]);
    expect(new Set(writers).size).toBe(2);
    await server.close();
  });

  it('keeps the read files, todos and grants of a caller with a login across sessions, separate from other callers', async () => {
    await writeFile(join(cwd, 'shared.txt'), 'old\n');
    const asked: string[] = [];
    const toolkit = await createToolkit({
      cwd,
      ask: ({ tool }) => {
        asked.push(tool);
        return { action: 'allow', scope: 'session' };
      },
    });
    onTestFinished(() => toolkit.dispose());
    const authenticate = async (request: Request) => ({
      clientId: request.headers.get('x-who')!,
      token: 't',
      scopes: [],
    });
    const server = await toolkit.serve({ http: { sessions: true, authenticate } });
    const { url } = await server.ready;
    const first = await openSession(url!, 'ada');
    expect(await first('read', { path: 'shared.txt' })).toContain('old');
    await first('todo', { todos: [{ content: 'Buy tea', status: 'pending' }] });

    const [later, eve] = [await openSession(url!, 'ada'), await openSession(url!, 'eve')];
    expect(await later('todo', {})).toContain('Buy tea');
    expect(await eve('todo', {})).not.toContain('Buy tea');
    expect(await eve('write', { path: 'shared.txt', content: 'eve' })).toContain('NOT_READ');
    expect(await later('write', { path: 'shared.txt', content: 'ada' })).not.toContain('Error');
    const before = asked.length;
    await first('write', { path: 'shared.txt', content: 'ada again' });
    expect(asked).toHaveLength(before);
    await server.close();
  });
});
