import type { SteerSink } from '@haft/core';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { createConnection, type ConnectionEvent } from '../index.ts';
import { readServerMessage } from './contract/server-message.ts';
import { createNotificationSteer } from './forward-to-steer-sink.ts';

interface Steered {
  readonly sink: SteerSink;
  readonly texts: string[];
}

function collect(takes: () => boolean = () => true): Steered {
  const texts: string[] = [];
  const sink: SteerSink = {
    steer(text, options) {
      expect(options).toEqual({ source: 'mcp:files', trusted: false });
      if (takes()) texts.push(text);
      return takes();
    },
  };
  return { sink, texts };
}

const log = (data: unknown, level = 'warning', logger?: string): ReturnType<typeof readServerMessage> =>
  readServerMessage('notifications/message', { level, data, ...(logger === undefined ? {} : { logger }) });

describe('steering with notifications of a server', () => {
  it('delivers untrusted, cleaned text of at most 2,048 bytes', () => {
    const { sink, texts } = collect();
    const steer = createNotificationSteer('files', sink);
    steer.forward(log('disk\u001b[31m full\u202e\u{e0041}', 'error', 'watch\ner')!);
    steer.forward(log({ left: 3 })!);
    steer.forward(log('é'.repeat(5_000))!);
    steer.forward(readServerMessage('notifications/resources/updated', { uri: 'file:///a\nb' })!);
    steer.forward(log('noise', 'debug')!);
    expect(texts).toHaveLength(4);
    expect(texts.slice(0, 2)).toEqual([
      'MCP server files: watch er, error: disk full',
      'MCP server files: warning: {"left":3}',
    ]);
    expect(Buffer.byteLength(texts[2]!)).toBeLessThanOrEqual(2_048);
    expect(Buffer.byteLength(texts[2]!)).toBeGreaterThan(2_000);
    expect(texts[3]).toBe('MCP server files: the resource file:///a b changed');
  });

  it('delivers at most 20 a minute, no repeats, and counts the dropped ones', () => {
    let time = 0;
    const { sink, texts } = collect();
    const steer = createNotificationSteer('files', sink, () => time);
    for (let count = 0; count < 5; count += 1) steer.forward(log('same')!);
    for (let count = 0; count < 30; count += 1) steer.forward(log(`line ${count}`)!);
    expect(texts).toHaveLength(20);
    expect(steer.hasRoom()).toBe(false);
    time = 60_001;
    expect(steer.hasRoom()).toBe(true);
    steer.forward(log('later')!);
    expect(texts.at(-1)).toBe('MCP server files: warning: later\n(12 more were dropped)');
    steer.forward(log('same')!);
    expect(texts).toHaveLength(21);
    time = 700_000;
    steer.forward(log('same')!);
    expect(texts).toHaveLength(22);
  });

  it.each([[null], [{}], [{ level: 'x', data: undefined }], [[1]], [{ data: { toJSON: 1n } }]])(
    'accepts any payload (%#)',
    (params) => {
      const { sink, texts } = collect();
      const message = readServerMessage('notifications/message', params);
      createNotificationSteer('files', sink).forward(message!);
      expect(texts).toEqual([]);
    },
  );
});

describe('a connection with a steer sink', () => {
  it('emits every notification as an event and steers with those that matter to a model', async () => {
    const [here, there] = InMemoryTransport.createLinkedPair();
    const send = (message: object): Promise<void> => there.send({ jsonrpc: '2.0', ...message } as never);
    const forward = (message: unknown): void => {
      const { id, method } = message as { readonly id?: number; readonly method?: string };
      if (id === undefined) return;
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: { logging: {} },
        serverInfo: { name: 'files', version: '1' },
      };
      void send(method === 'initialize' ? { id, result } : { id, error: { code: -32_601, message: 'unknown' } });
    };
    Object.assign(there, { onmessage: forward });
    await there.start();
    const { sink, texts } = collect();
    const events: ConnectionEvent[] = [];
    const connection = await createConnection({
      transport: here,
      era: 'legacy',
      steer: sink,
      secrets: ['hunter2hunter2'],
      onEvent: (event) => events.push(event),
    });
    const notify = (method: string, params: object = {}): Promise<void> => send({ method, params });
    await notify('notifications/message', { level: 'info', data: 'with hunter2hunter2' });
    await notify('notifications/resources/updated', { uri: 'file:///a' });
    await notify('notifications/prompts/list_changed');
    await notify('notifications/resources/list_changed');
    await notify('notifications/made-up');
    expect(events).toEqual([
      { type: 'log', level: 'info', logger: '', text: 'with [redacted]' },
      { type: 'resource-updated', uri: 'file:///a' },
      { type: 'prompt-list-changed' },
      { type: 'resource-list-changed' },
    ]);
    expect(texts).toEqual([
      'MCP server files: info: with [redacted]',
      'MCP server files: the resource file:///a changed',
      'MCP server files: its prompts changed',
      'MCP server files: its resources changed',
    ]);
    await connection.close();
  });
});
