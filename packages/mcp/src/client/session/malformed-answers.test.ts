import { afterEach, describe, expect, it } from 'vitest';
import { createTestConnection, rawServer, unfenced } from '../../fixtures/test-connection.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end();
});

async function open(mode: string, more: object = {}): ReturnType<typeof createTestConnection> {
  const opened = await createTestConnection({ ...rawServer(mode), ...more });
  cleanups.push(() => opened.connection.close());
  return opened;
}

describe('a malformed response', () => {
  it.each([
    ['both', 'both a result and an error'],
    ['neither', 'neither a result nor an error'],
    ['version', 'not JSON-RPC 2.0'],
    ['batch', 'a batch'],
    ['result', 'a result that is not an object'],
    ['error', 'an error without a code and a message'],
  ])('fails its call at once and names the fault (%s)', async (kind, fault) => {
    // Without this, the calls would end with the time limit of the test.
    const { call } = await open(`malformed-${kind}`, { idleTimeoutMs: 600_000 });
    const result = await call('raw_act');
    expect(result).toMatchObject({ ok: false, error: { code: 'REMOTE_ERROR' } });
    expect(unfenced(result)).toContain(`the server sent a malformed response: ${fault}`);
  });
});

describe('a server with invalid lists', () => {
  it('is connected without tools and reported when its list of tools is not an array', async () => {
    const { connection } = await open('odd-list');
    expect(connection.tools).toEqual([]);
    expect(connection.diagnostics).toMatchObject([
      {
        kind: 'list-failed',
        message: expect.stringMatching(/^the server sent no list of tools: tools\/list returned/),
      },
    ]);
  });

  it('may omit the members of the modern era that say how long results are fresh', async () => {
    const { connection, call } = await open('modern-without-freshness');
    expect(connection.protocol.era).toBe('modern');
    expect(unfenced(await call('raw_act'))).toBe('acted');
  });
});

describe('a time limit', () => {
  it('is named in the error of a call only if the call exceeded it', async () => {
    const { call } = await open('mute', { idleTimeoutMs: 200 });
    expect(await call('raw_act')).toMatchObject({
      error: { code: 'TIMEOUT', message: expect.stringContaining('did not answer in 200 ms') },
    });
    const slow = await open('plain', { idleTimeoutMs: 10_000, requestTimeoutMs: 100 });
    const result = await slow.call('raw_slow');
    expect(result).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
    expect(JSON.stringify(result)).toContain('100 ms');
    expect(JSON.stringify(result)).not.toContain('10000 ms');
  });
});
