import { afterEach, describe, expect, it } from 'vitest';
import { createTestConnection, rawServer, unfenced } from '../../fixtures/test-connection.ts';
import type { ServerEras } from '../../index.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end();
});

function createEras(): ServerEras & { readonly known: Map<string, boolean> } {
  const known = new Map<string, boolean>();
  return {
    known,
    isLegacy: (server) => known.get(server) ?? false,
    setLegacy: (server, is) => void known.set(server, is),
  };
}

describe('a legacy server that ignores the question for the modern era', () => {
  it('is connected beside the question, and remembered', async () => {
    const eras = createEras();
    const started = performance.now();
    const { connection, call } = await createTestConnection({ ...rawServer('ignores-questions'), eras });
    cleanups.push(() => connection.close());
    // The time limit of the question alone is 10 s.
    expect(performance.now() - started).toBeLessThan(9_000);
    expect(connection.protocol).toEqual({ era: 'legacy', version: '2025-11-25' });
    expect(unfenced(await call('raw_act'))).toBe('acted');
    expect(connection.diagnostics).toEqual([]);
    expect([...eras.known.values()]).toEqual([true]);

    const again = await createTestConnection({ ...rawServer('ignores-questions'), eras });
    cleanups.push(() => again.connection.close());
    expect(unfenced(await again.call('raw_methods'))).toMatch(/^initialize notifications\/initialized tools\/list/);
  });

  it('is asked again when it does not work as remembered', async () => {
    const eras = createEras();
    const first = await createTestConnection({ ...rawServer('plain'), eras });
    cleanups.push(() => first.connection.close());
    expect(eras.known.size).toBe(0);
    const all: ServerEras = { isLegacy: () => true, setLegacy: (server, is) => eras.setLegacy(server, is) };
    const { connection } = await createTestConnection({ ...rawServer('modern'), eras: all });
    cleanups.push(() => connection.close());
    expect(connection.protocol.era).toBe('modern');
    expect([...eras.known.values()]).toEqual([false]);
  });
});
