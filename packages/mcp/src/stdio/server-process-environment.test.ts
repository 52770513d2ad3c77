import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTestConnection, rawServer, unfenced } from '../fixtures/test-connection.ts';
import { createConnection, type ConnectionEvent } from '../index.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  for (const end of cleanups.splice(0).toReversed()) await end();
});

describe('the environment of a server', () => {
  it('has certificates, proxies and the inherited variables of the program, and no others', async () => {
    vi.stubEnv('NODE_EXTRA_CA_CERTS', '/etc/company.pem');
    vi.stubEnv('https_proxy', 'http://ada:proxy-password@proxy.example.com');
    vi.stubEnv('GITHUB_TOKEN', 'github-token-value');
    vi.stubEnv('OTHER_TOKEN', 'other-token-value');
    const { connection, call } = await createTestConnection({
      ...rawServer('environment'),
      env: { OWN: 'own-value-1' },
      inheritEnvironment: ['GITHUB_TOKEN', 'NOT_SET'],
    });
    cleanups.push(() => connection.close());
    const names = JSON.parse(unfenced(await call('raw_act'))) as readonly string[];
    expect(names).toEqual(
      expect.arrayContaining(['PATH', 'NODE_EXTRA_CA_CERTS', 'https_proxy', 'GITHUB_TOKEN', 'OWN']),
    );
    expect(names).not.toEqual(expect.arrayContaining(['OTHER_TOKEN']));
    expect(names).not.toContain('NOT_SET');
    // The server writes the values to its standard error.
    await vi.waitFor(() => expect(connection.stderr()).toContain('proxy.example.com'), 10_000);
    const written = connection.stderr();
    for (const secret of ['github-token-value', 'proxy-password', 'own-value-1']) expect(written).not.toContain(secret);
  });
});

describe('a server that starts slowly', () => {
  it('is announced as still starting after 5 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [here] = InMemoryTransport.createLinkedPair();
    const events: ConnectionEvent[] = [];
    const cancel = new AbortController();
    const connecting = createConnection({
      transport: here,
      signal: cancel.signal,
      onEvent: (event) => events.push(event),
    }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(events).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(events).toEqual([{ type: 'starting', message: 'still starting' }]);
    cancel.abort();
    await connecting;
  });

  it.runIf(process.platform !== 'win32')('has a timeout that explains the first run of npx', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'haft-npx-'));
    cleanups.push(() => rmSync(directory, { recursive: true }));
    const command = join(directory, 'npx');
    writeFileSync(command, '#!/bin/sh\nexec sleep 60\n');
    chmodSync(command, 0o755);
    await expect(createConnection({ command, startTimeoutMs: 300, closeGraceMs: 100 })).rejects.toThrow(
      'the first run of npx may download the server: raise startTimeoutMs',
    );
  });
});
