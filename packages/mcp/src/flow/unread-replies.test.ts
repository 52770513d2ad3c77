import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestConnection, rawServer } from '../fixtures/test-connection.ts';
import { programArguments } from '../fixtures/program-arguments.ts';
import { McpError } from '../index.ts';
import { createOutbox } from './outbox.ts';
import { createStreamTransport } from '../stdio/stream-transport.ts';
import { createUnreadReplies } from './unread-replies.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

const megabyte = 1024 * 1024;
const reply = (id: number, size: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  result: { text: 'x'.repeat(size) },
});

/** A stream that accepts data only when the test releases it. */
function createStuckStream(): { readonly stream: Writable; text(): string; flow(): void } {
  const written: Buffer[] = [];
  let isFlowing = false;
  let waiting: (() => void) | undefined;
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const take = (): void => {
        written.push(chunk);
        done();
      };
      if (isFlowing) take();
      else waiting = take;
    },
  });
  return {
    stream,
    text: () => Buffer.concat(written).toString(),
    flow() {
      isFlowing = true;
      waiting?.();
    },
  };
}

describe('a client over streams that does not read', () => {
  const ping = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`;

  it('is not read while more than a megabyte of its replies is unread, and continues later', async () => {
    const input = new PassThrough();
    const output = createStuckStream();
    const transport = createStreamTransport(input, output.stream, megabyte);
    let seen = 0;
    const onmessage = (message: JSONRPCMessage): void => {
      seen += 1;
      void transport.send(reply((message as { id: number }).id, 100_000)).catch(() => undefined);
    };
    Object.assign(transport, { onmessage });
    await transport.start();
    for (let id = 1; id <= 100; id += 1) {
      input.write(ping(id));
      await delay(0);
    }
    expect(seen).toBeLessThan(20);
    output.flow();
    await expect.poll(() => output.text().split('\n').length - 1).toBe(100);
    expect(seen).toBe(100);
    await transport.close();
  });

  it('loses its connection with a reason after the stall timeout', async () => {
    const input = new PassThrough();
    const output = createStuckStream();
    const transport = createStreamTransport(input, output.stream, megabyte, { stallTimeoutMs: 50 });
    const errors: Error[] = [];
    const closed = new Promise<void>((resolve) =>
      Object.assign(transport, { onclose: resolve, onerror: (error: Error) => errors.push(error) }),
    );
    await transport.start();
    let rejected = 0;
    for (const id of [1, 2, 3]) transport.send(reply(id, 600_000)).catch(() => (rejected += 1));
    await closed;
    expect(errors).toMatchObject([{ code: 'PEER_STALLED' }]);
    expect(errors[0]).toBeInstanceOf(McpError);
    await expect.poll(() => rejected).toBe(2);
    await expect(transport.send(reply(4, 1))).rejects.toThrow();
  });

  it('loses its connection at once when too much data waits', async () => {
    const output = createStuckStream();
    const transport = createStreamTransport(new PassThrough(), output.stream, megabyte, {
      maxQueuedBytes: 2 * megabyte,
    });
    const closed = new Promise<void>((resolve) => Object.assign(transport, { onclose: resolve }));
    await transport.start();
    const sent = [1, 2, 3, 4, 5].map((id) => transport.send(reply(id, megabyte)));
    const ended = Promise.allSettled(sent);
    await closed;
    output.flow();
    expect((await ended).some((one) => one.status === 'rejected')).toBe(true);
  });

  it('keeps its connection while it reads a little', async () => {
    const stalls: Error[] = [];
    const unread = createUnreadReplies(
      { onStalled: (reason) => stalls.push(reason) },
      { maxUnreadBytes: 100, stallTimeoutMs: 60 },
    );
    const dones = Array.from({ length: 12 }, () => unread.add(50, true));
    for (const done of dones.slice(0, 9)) {
      await delay(20);
      done();
    }
    expect(stalls).toEqual([]);
    unread.stop();
  });

  it('gets no progress or log notifications, and identical notifications once', async () => {
    const output = createStuckStream();
    const outbox = createOutbox(output.stream, createUnreadReplies({ onStalled: () => undefined }));
    const note = (method: string, params: object = {}): JSONRPCMessage =>
      ({ jsonrpc: '2.0', method, params }) as JSONRPCMessage;
    for (let count = 0; count < 1_100; count += 1) void outbox.send(reply(count, 1));
    for (let count = 0; count < 10_000; count += 1) {
      void outbox.send(note('notifications/progress', { progress: count }));
      void outbox.send(note('notifications/message', { data: count }));
      void outbox.send(note('notifications/tools/list_changed'));
    }
    const last = outbox.send(note('notifications/resources/updated', { uri: 'a:b' }));
    output.flow();
    await last;
    expect(output.text().split('\n').length - 1).toBe(1_100 + 2);
  });
});

describe('open requests of a client', () => {
  it('are refused beyond a thousand, and with an id in use', async () => {
    const input = new PassThrough();
    const output = createStuckStream();
    output.flow();
    const transport = createStreamTransport(input, output.stream, megabyte);
    const seen: unknown[] = [];
    const onmessage = (message: JSONRPCMessage): unknown => seen.push((message as { id?: unknown }).id);
    Object.assign(transport, { onmessage });
    await transport.start();
    const lines = Array.from({ length: 1_002 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call"}\n`);
    input.write(`${lines.join('')}{"jsonrpc":"2.0","id":5,"method":"tools/call"}\n`);
    await expect.poll(() => output.text().split('\n').length - 1).toBe(3);
    expect(seen.length).toBe(1_000);
    expect(output.text()).toContain('"id":1001,"error"');
    expect(output.text()).toContain('use another id');
    input.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}\n');
    await transport.send(reply(8, 1));
    input.write('{"jsonrpc":"2.0","id":7,"method":"ping"}\n{"jsonrpc":"2.0","id":8,"method":"ping"}\n');
    await expect.poll(() => seen.length).toBe(1_003);
    await transport.close();
  });
});

describe('replies over a stream', () => {
  it('arrive complete and in order, whatever their size and chunks', async () => {
    const output = createStuckStream();
    const outbox = createOutbox(output.stream, createUnreadReplies({ onStalled: () => undefined }));
    const messages = [5, 70_000, 3, 200_001, 64 * 1024].map((size, id): JSONRPCMessage => ({
      jsonrpc: '2.0',
      id,
      result: { text: '😀é'.repeat(size) },
    }));
    const sent = Promise.all(messages.map((message) => outbox.send(message)));
    output.flow();
    await sent;
    expect(output.text() === messages.map((message) => `${JSON.stringify(message)}\n`).join('')).toBe(true);
  });
});

const hasProc = process.platform === 'linux';
const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

describe.runIf(hasProc)('the memory of the host', () => {
  it('does not grow for a server that sends requests and does not read', async () => {
    const { connection, call } = await createTestConnection(rawServer('pings'));
    cleanups.push(() => connection.close());
    const before = residentOf(process.pid);
    await call('raw_act');
    await delay(2_000);
    expect(residentOf(process.pid) - before).toBeLessThan(150 * megabyte);
  });

  it('does not grow for a client that sends requests and does not read', async () => {
    const child = spawn(
      process.execPath,
      [...programArguments, fileURLToPath(new URL('../fixtures/serve-sample.ts', import.meta.url))],
      {
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    );
    cleanups.push(() => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      return exited;
    });
    child.stdin.on('error', () => undefined);
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } })}\n`,
    );
    await once(child.stdout, 'readable');
    const before = residentOf(child.pid!);
    const until = performance.now() + 2_000;
    let lines = '';
    for (let id = 1; id <= 2_000; id += 1)
      lines += `{"jsonrpc":"2.0","id":"${'p'.repeat(200)}${id}","method":"ping"}\n`;
    while (performance.now() < until)
      if (!child.stdin.write(lines)) await Promise.race([once(child.stdin, 'drain'), delay(200)]);
    expect(residentOf(child.pid!) - before).toBeLessThan(150 * megabyte);
  });

  it('does not grow for an HTTP server that sends requests on a stream and accepts no replies', async () => {
    let isFlooding = false;
    let answers = 0;
    const server = createServer((request, response) => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        let ids = 0;
        const flood = (): void => {
          if (response.destroyed) return;
          let events = '';
          for (let count = 0; count < 500; count += 1)
            events += `data: {"jsonrpc":"2.0","id":${(ids += 1)},"method":"ping"}\n\n`;
          isFlooding = true;
          if (response.write(events)) setImmediate(flood);
          else response.once('drain', flood);
        };
        return flood();
      }
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const { id, method } = JSON.parse(body) as { id?: unknown; method?: string };
        const json = (message: object): unknown =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
        if (method === 'initialize')
          return json({
            result: {
              protocolVersion: '2025-11-25',
              capabilities: { tools: {} },
              serverInfo: { name: 'x', version: '1' },
            },
          });
        if (method === 'tools/list') return json({ result: { tools: [] } });
        if (method === 'server/discover') return json({ error: { code: -32_601, message: 'unknown' } });
        if (id === undefined) return response.writeHead(202).end();
        // The reply to the server's own request, which the server never accepts.
        return void (answers += 1);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    const before = residentOf(process.pid);
    const { connection } = await createTestConnection({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
      era: 'legacy',
      name: 'x',
    });
    cleanups.push(() => connection.close());
    await expect.poll(() => isFlooding).toBe(true);
    await delay(1_500);
    expect(answers).toBeLessThanOrEqual(16);
    expect(residentOf(process.pid) - before).toBeLessThan(150 * megabyte);
  });
});
