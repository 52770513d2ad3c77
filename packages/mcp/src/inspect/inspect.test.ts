import { spawn } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allowAll, createDispatcher, ToolRegistry } from '@haft/core';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, describe, expect, it } from 'vitest';
import { createHandWrittenServer, listedTool } from '../fixtures/hand-written-server.ts';
import { createTestConnection, unfenced } from '../fixtures/test-connection.ts';
import { sayTool } from '../fixtures/in-process-servers.ts';
import { programArguments } from '../fixtures/program-arguments.ts';
import { serve } from '../index.ts';
import { readRecording, recordSession, replayClient, replayServer, type RecordedMessage } from '../inspect.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'haft-inspect-'));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  return folder;
}

const proxy = fileURLToPath(new URL('../fixtures/recording-proxy.ts', import.meta.url));
const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json');
const everything = join(dirname(manifest), 'dist/index.js');

/** The command of a proxy that records the session with a server. */
function recorded(file: string, server: readonly string[]) {
  return { command: process.execPath, args: [...programArguments, proxy, file, ...server] };
}

const isCall = ({ message }: RecordedMessage): boolean => 'method' in message && message.method === 'tools/call';
const isAnswer = ({ message }: RecordedMessage): boolean => JSON.stringify(message).includes('hello said');

describe('a recorded session', () => {
  it('of another client and another server is replayed in place of the server', { timeout: 60_000 }, async () => {
    const file = join(createFolder(), 'session.jsonl');
    const client = new OlderClient({ name: 'older', version: '1' });
    await client.connect(new OlderTransport(recorded(file, [process.execPath, everything, 'stdio'])));
    cleanups.push(() => client.close());
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    const call = { name: 'echo', arguments: { message: 'hello' } };
    const answer = await client.callTool(call);
    await client.close();

    const recording = await readRecording(file);
    expect(recording[0]).toMatchObject({ from: 'client', message: { method: 'initialize' } });
    expect(recording.filter(({ from }) => from === 'server').length).toBeGreaterThan(2);
    const { transport, unknown } = replayServer(recording);
    const again = new OlderClient({ name: 'older', version: '1' });
    await again.connect(transport as never);
    cleanups.push(() => again.close());
    expect((await again.listTools()).tools.length).toBeGreaterThan(5);
    expect(await again.callTool(call)).toEqual(answer);
    await expect(again.callTool({ name: 'echo', arguments: { message: 'other' } })).rejects.toThrow(
      'the recording has no such tools/call',
    );
    expect(unknown).toMatchObject([{ method: 'tools/call', params: { arguments: { message: 'other' } } }]);
  });

  it('is replayed in place of the client, and lists each answer that differs', async () => {
    const server = (text: string) =>
      createHandWrittenServer({
        'tools/list': () => ({ tools: [listedTool('act')] }),
        'tools/call': () => ({ content: [{ type: 'text', text }] }),
      });
    const file = join(createFolder(), 'session.jsonl');
    const [first, same, other] = [server('acted'), server('acted'), server('failed')];
    const [clientSide, proxySide] = InMemoryTransport.createLinkedPair();
    const session = await recordSession({ client: proxySide, server: first.transport, file });
    const { connection, call } = await createTestConnection({ name: 'far', transport: clientSide, era: 'legacy' });
    expect(unfenced(await call('far_act'))).toBe('acted');
    await connection.close();
    await session.closed;

    const recording = await readRecording(file);
    expect(recording).toEqual(session.recording);
    expect(await replayClient(recording, same.transport)).toEqual([]);
    expect(same.calls).toEqual(['act']);
    expect(await replayClient(recording, other.transport)).toMatchObject([
      {
        method: 'tools/call',
        expected: { result: { content: [{ text: 'acted' }] } },
        actual: { result: { content: [{ text: 'failed' }] } },
      },
    ]);
  });

  it('can be followed while a connection uses it, without its secrets', async () => {
    const server = createHandWrittenServer({
      'tools/list': () => ({ tools: [listedTool('act')] }),
      'tools/call': () => ({ content: [{ type: 'text', text: 'the key is hunter2hunter2' }] }),
    });
    const seen: string[] = [];
    const { connection, call } = await createTestConnection({
      name: 'far',
      transport: server.transport,
      secrets: ['hunter2hunter2'],
      onMessage: ({ from, message }) => seen.push(`${from} ${JSON.stringify(message)}`),
    });
    await call('far_act');
    await connection.close();
    expect(seen.some((line) => line.startsWith('client') && line.includes('"tools/call"'))).toBe(true);
    expect(seen.some((line) => line.startsWith('server') && line.includes('the key is [redacted]'))).toBe(true);
    expect(seen.join('')).not.toContain('hunter2');
  });

  it('holds no secrets, and repeats answers of the host', async () => {
    const session = async () => {
      const server = createHandWrittenServer({});
      const [clientSide, proxySide] = InMemoryTransport.createLinkedPair();
      const recordedSession = await recordSession({
        client: proxySide,
        server: server.transport,
        secrets: ['hunter2hunter2'],
      });
      const opened = await createTestConnection({
        name: 'far',
        transport: clientSide,
        era: 'legacy',
        host: { roots: () => [{ uri: 'file:///home', name: 'hunter2hunter2' }] },
      });
      const answer = await server.ask('roots/list', {});
      await opened.connection.close();
      return { answer, recording: recordedSession.recording };
    };
    const { answer, recording } = await session();
    expect(JSON.stringify(answer)).toContain('hunter2hunter2');
    expect(JSON.stringify(recording)).not.toContain('hunter2');
    const asking = createHandWrittenServer({});
    const replayed = replayClient(recording, asking.transport);
    expect(await asking.ask('roots/list', {})).toMatchObject({
      result: { roots: [{ uri: 'file:///home', name: '[redacted]' }] },
    });
    expect(await replayed).toEqual([]);
  });

  it.each(['legacy', 'modern'] as const)('of a server over HTTP, by its URL (%s)', async (generation) => {
    const registry = new ToolRegistry({ tools: [sayTool('hello')] });
    const running = serve(createDispatcher({ registry, permission: allowAll }), { http: { sessions: true } });
    cleanups.push(() => running.close());
    const { url } = await running.ready;
    const [clientSide, proxySide] = InMemoryTransport.createLinkedPair();
    const session = await recordSession({ client: proxySide, url: url!, headers: { 'x-token': 'hunter2hunter2' } });
    const { connection, call } = await createTestConnection({
      name: 'far',
      transport: clientSide,
      era: generation === 'legacy' ? 'legacy' : 'auto',
    });
    expect(connection.protocol.era).toBe(generation);
    expect(unfenced(await call('far_hello'))).toBe('hello said');
    await connection.close();
    await session.closed;
    const { recording } = session;
    expect(JSON.stringify(recording)).not.toContain('hunter2');
    const [asked, answered] = [recording.find(isCall), recording.find(isAnswer)];
    expect(asked).toMatchObject({ from: 'client', message: { params: { name: 'hello' } } });
    const { id } = asked!.message as { readonly id: number };
    expect(answered).toMatchObject({ from: 'server', message: { id } });

    const [again, replaySide] = InMemoryTransport.createLinkedPair();
    const other = await recordSession({ client: replaySide, url: url! });
    expect(await replayClient(recording, again)).toEqual([]);
    await other.close();
  });

  it('contains an error for each request that a server over HTTP refuses, and continues', async () => {
    const running = serve(createDispatcher({ registry: new ToolRegistry(), permission: allowAll }), { http: {} });
    cleanups.push(() => running.close());
    const { url } = await running.ready;
    const [client, proxySide] = InMemoryTransport.createLinkedPair();
    const session = await recordSession({ client: proxySide, url: `${url}/elsewhere` });
    const answers: unknown[] = [];
    let next: () => void = () => undefined;
    Object.assign(client, { onmessage: (message: unknown) => (answers.push(message), next()) });
    await client.start();
    for (const id of [1, 2]) {
      const answered = new Promise<void>((resolve) => (next = resolve));
      await client.send({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });
      await answered;
    }
    expect(answers).toMatchObject([
      { id: 1, error: { message: expect.stringContaining('404') as unknown } },
      { id: 2, error: { code: -32_000 } },
    ]);
    await session.close();
    await expect(recordSession({ url: 'example.com/mcp' })).rejects.toThrow('url is not valid (expected an HTTP URL');
    await expect(recordSession({ url: url!, command: 'node' })).rejects.toThrow('2 servers are given');
  });

  it('distinguishes calls by their arguments, whatever the names of these', async () => {
    const items: Readonly<Record<string, string>> = { 1: 'first', 2: 'second' };
    const server = createHandWrittenServer({
      'tools/list': () => ({
        tools: [listedTool('get', { inputSchema: { type: 'object', properties: { id: { type: 'integer' } } } })],
      }),
      'tools/call': ({ arguments: args }) => ({
        content: [{ type: 'text', text: items[(args as { readonly id: number }).id] }],
      }),
    });
    const [clientSide, proxySide] = InMemoryTransport.createLinkedPair();
    const session = await recordSession({ client: proxySide, server: server.transport });
    const first = await createTestConnection({ name: 'far', transport: clientSide, era: 'legacy' });
    for (const id of [1, 2]) await first.call('far_get', { id });
    await first.connection.close();
    await session.closed;
    const { transport, unknown } = replayServer(session.recording);
    const again = await createTestConnection({ name: 'far', transport, era: 'legacy' });
    expect(unfenced(await again.call('far_get', { id: 2 }))).toBe('second');
    expect(unfenced(await again.call('far_get', { id: 1 }))).toBe('first');
    expect(unknown).toEqual([]);
    await again.connection.close();
  });

  it('sends the recorded requests of the server to the client under test, and waits for its answers', async () => {
    const recorded = (from: 'client' | 'server', message: object): RecordedMessage =>
      ({ at: 0, from, message: { jsonrpc: '2.0', ...message } }) as never;
    const { transport } = replayServer([
      recorded('client', { id: 1, method: 'tools/call', params: { name: 'ask' } }),
      recorded('server', { id: 7, method: 'roots/list' }),
      recorded('client', { id: 7, result: { roots: [] } }),
      recorded('server', { id: 1, result: { content: [] } }),
    ]);
    const seen: unknown[] = [];
    const answered = new Promise<void>((resolve) => {
      Object.assign(transport, {
        onmessage(message: { readonly id: number; readonly method?: string }) {
          seen.push(message);
          if (message.method === undefined) resolve();
          else void transport.send({ jsonrpc: '2.0', id: message.id, result: { roots: [] } });
        },
      });
    });
    await transport.start();
    await transport.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'ask' } });
    await answered;
    expect(seen).toMatchObject([{ method: 'roots/list' }, { id: 5, result: { content: [] } }]);
  });

  it('continues when it cannot be recorded, and replaces links and files of other users', async () => {
    const folder = createFolder();
    const [file, victim] = [join(folder, 'session.jsonl'), join(folder, 'victim')];
    writeFileSync(victim, 'kept');
    symlinkSync(victim, file);
    const server = createHandWrittenServer({ 'tools/list': () => ({ tools: [listedTool('act')] }) });
    const [clientSide, proxySide] = InMemoryTransport.createLinkedPair();
    const errors: string[] = [];
    const session = await recordSession({
      client: proxySide,
      server: server.transport,
      file,
      maxCharacters: 200,
      onWarning: ({ message }) => errors.push(message),
    });
    const { connection } = await createTestConnection({ name: 'far', transport: clientSide, era: 'legacy' });
    expect(connection.tools.map(({ name }) => name)).toEqual(['far_act']);
    await connection.close();
    expect(errors).toEqual(['the rest of the session is not recorded: the session is longer than 200 characters']);
    expect(session.recording.length).toBeLessThan(3);
    expect(readFileSync(victim, 'utf8')).toBe('kept');
    if (process.platform !== 'win32') expect(lstatSync(file).mode & 0o777).toBe(0o600);
    await expect(recordSession({ command: 'node', file: join(folder, 'no/where') })).rejects.toThrow(
      "can't be written",
    );
    await expect(recordSession({ command: 'no-such-program', client: proxySide })).rejects.toThrow(
      'the server "no-such-program" can\'t be recorded',
    );
  });

  it(
    'passes the environment of the client to the server, and shows the standard error of the server',
    { timeout: 60_000 },
    async () => {
      const file = join(createFolder(), 'session.jsonl');
      const source = `process.stderr.write('key ' + process.env.SERVER_KEY); process.stdin.resume()`;
      const { command, args } = recorded(file, [process.execPath, '-e', source]);
      const child = spawn(command, args, {
        env: { ...process.env, SERVER_KEY: 'chosen' },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      let stderr = '';
      await new Promise<void>((resolve) => {
        child.stderr.on('data', (chunk: Buffer) => {
          stderr += chunk.toString();
          if (stderr.includes('key ')) resolve();
        });
      });
      expect(stderr).toContain('key chosen');
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    },
  );

  it('contains no part of a header or variable that the server repeats', async () => {
    const server = createHandWrittenServer({
      'tools/list': () => ({ tools: [listedTool('act')] }),
      'tools/call': () => ({ content: [{ type: 'text', text: 'hunter2hunter2 and swordfish99' }] }),
    });
    const [clientSide, proxySide] = InMemoryTransport.createLinkedPair();
    const session = await recordSession({
      client: proxySide,
      server: server.transport,
      headers: { authorization: 'Bearer hunter2hunter2' },
      env: { KEY: 'swordfish99' },
    });
    const { connection, call } = await createTestConnection({ name: 'far', transport: clientSide, era: 'legacy' });
    await call('far_act');
    await connection.close();
    expect(JSON.stringify(session.recording)).toContain('[redacted] and [redacted]');
  });

  it('is rejected when a line is not a message', async () => {
    const file = join(createFolder(), 'session.jsonl');
    writeFileSync(file, '{"at":1,"from":"client","message":{"jsonrpc":"2.0"}}\n{"at":1}\n');
    await expect(readRecording(file)).rejects.toThrow('line 2 is not a recorded message');
    await expect(readRecording(`${file}.missing`)).rejects.toThrow("can't be read");
    await expect(recordSession({})).rejects.toThrow('expected exactly one of command, url and server');
  });
});
