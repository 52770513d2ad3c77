import { fileURLToPath } from 'node:url';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import { createTestConnection, rawServer, unfenced } from '../../fixtures/test-connection.ts';
import { programArguments } from '../../fixtures/program-arguments.ts';
import type { ServerEras } from '../../index.ts';
import { handshakeEarly } from './early-handshake.ts';

function createEras(): ServerEras & { readonly known: Map<string, boolean> } {
  const known = new Map<string, boolean>();
  return {
    known,
    isLegacy: (server) => known.get(server) ?? false,
    setLegacy: (server, is) => void known.set(server, is),
  };
}

// These tests mostly wait for the time limits of the handshake.
describe.concurrent('a legacy server that ignores the probe for the modern era', () => {
  it('is connected while the probe is open, and remembered', { timeout: 60_000 }, async ({ onTestFinished }) => {
    const eras = createEras();
    const { connection, call } = await createTestConnection({
      ...rawServer('ignores-questions-but-ping'),
      eras,
      // The probe alone would take 480 s.
      startTimeoutMs: 600_000,
    });
    onTestFinished(() => connection.close());
    expect(connection.protocol).toEqual({ era: 'legacy', version: '2025-11-25' });
    expect(unfenced(await call('raw_act'))).toBe('acted');
    expect(connection.diagnostics).toEqual([]);
    expect([...eras.known.values()]).toEqual([true]);

    const again = await createTestConnection({ ...rawServer('ignores-questions-but-ping'), eras });
    onTestFinished(() => again.connection.close());
    expect(unfenced(await again.call('raw_methods'))).toMatch(/^initialize notifications\/initialized tools\/list/);
  });

  it.for([
    ['after half the time to start', [], 8_000],
    ['4 s after its first output', ['-c', 'echo running >&2; exec "$0" "$@"', process.execPath], 600_000],
  ] as const)(
    'is connected %s if it ignores pings, too',
    { timeout: 60_000 },
    async ([, shell, time], { onTestFinished }) => {
      const { command, args } = rawServer('ignores-questions');
      const { connection, call } = await createTestConnection({
        name: 'raw',
        ...(shell.length === 0 ? { command, args } : { command: 'sh', args: [...shell, ...args] }),
        eras: createEras(),
        startTimeoutMs: time,
      });
      onTestFinished(() => connection.close());
      expect(connection.protocol.era).toBe('legacy');
      expect(unfenced(await call('raw_methods'))).toMatch(
        /^server\/discover ping initialize notifications\/initialized tools\/list/,
      );
    },
  );

  it('is asked again when it does not work as remembered', { timeout: 60_000 }, async ({ onTestFinished }) => {
    const eras = createEras();
    const first = await createTestConnection({ ...rawServer('plain'), eras });
    onTestFinished(() => first.connection.close());
    expect(eras.known.size).toBe(0);
    const all: ServerEras = { isLegacy: () => true, setLegacy: (server, is) => eras.setLegacy(server, is) };
    const { connection } = await createTestConnection({ ...rawServer('modern'), eras: all });
    onTestFinished(() => connection.close());
    expect(connection.protocol.era).toBe('modern');
    expect([...eras.known.values()]).toEqual([false]);
  });
});

describe('a server that answers the probe and then the ping', () => {
  it('gives the client one answer', async () => {
    vi.useFakeTimers();
    try {
      const sent: JSONRPCMessage[] = [];
      const received: JSONRPCMessage[] = [];
      const transport = { send: (message: JSONRPCMessage) => Promise.resolve(void sent.push(message)) } as Transport;
      const clientInfo = { name: 'test', version: '1' };
      handshakeEarly(transport, { clientInfo, capabilities: {}, delayMs: 60_000, onLateAnswer: () => undefined });
      Object.assign(transport, { onmessage: (message: JSONRPCMessage) => void received.push(message) });
      const probe = { jsonrpc: '2.0', id: 'server-discover-probe-1' } as const;
      await transport.send({ ...probe, method: 'server/discover' });
      await vi.advanceTimersByTimeAsync(1_500);
      const [, ping] = sent as { readonly id: string }[];
      transport.onmessage?.({ ...probe, result: {} });
      transport.onmessage?.({ jsonrpc: '2.0', id: ping!.id, result: {} });
      await vi.advanceTimersByTimeAsync(1_500);
      expect(received).toEqual([{ ...probe, result: {} }]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe.runIf(process.platform !== 'win32').concurrent('a server that starts slowly', () => {
  const slowly = (...command: readonly string[]): { readonly command: string; readonly args: readonly string[] } => ({
    command: 'sh',
    args: ['-c', 'sleep 5; exec "$0" "$@"', process.execPath, ...command],
  });

  it('is connected in the modern era if it supports both', { timeout: 60_000 }, async ({ onTestFinished }) => {
    const program = fileURLToPath(new URL('../../fixtures/serve-sample.ts', import.meta.url));
    const eras = createEras();
    const { connection, call } = await createTestConnection({
      ...slowly(...programArguments, program),
      name: 'sample',
      eras,
    });
    onTestFinished(() => connection.close());
    expect(connection.protocol.era).toBe('modern');
    expect(unfenced(await call('sample_echo', { text: 'hello' }))).toBe('hello');
    expect(connection.diagnostics).toEqual([]);
    expect([...eras.known.values()].includes(true)).toBe(false);
  });

  it('is connected in the modern era if it supports only that', { timeout: 60_000 }, async ({ onTestFinished }) => {
    const { args } = rawServer('modern');
    const { connection, call } = await createTestConnection({
      ...slowly(...args),
      name: 'raw',
      eras: createEras(),
    });
    onTestFinished(() => connection.close());
    expect(connection.protocol.era).toBe('modern');
    expect(unfenced(await call('raw_act'))).toBe('acted');
  });
});
