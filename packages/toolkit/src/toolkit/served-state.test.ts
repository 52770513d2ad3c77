import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  it('keeps the files read, todos, memories and grants of callers without a login apart', async () => {
    await writeFile(join(cwd, 'notes.txt'), 'old\n');
    const asked: string[] = [];
    await using toolkit = await createToolkit({
      cwd,
      ask: ({ sessionId, tool }) => {
        asked.push(`${tool} ${sessionId}`);
        return { action: 'allow', scope: 'session' };
      },
    });
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
    expect(new Set(asked.map((question) => question.split(' ')[1])).size).toBe(2);
    await server.close();
  });
});
