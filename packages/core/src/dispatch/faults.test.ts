import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { fault, hostileValues, type Fault } from '../fixtures/hostile-arbitrary.ts';
import { functions, playScene, values, type Site } from '../fixtures/play-scene.ts';

const isLong = process.env['HAFT_TEST_LONG'] !== undefined;

const faults = fc.record(
  Object.fromEntries(Object.entries(functions).map(([site, isPatient]) => [site, fault(isPatient)])) as Record<
    Site,
    fc.Arbitrary<Fault>
  >,
  { requiredKeys: [] },
);
/** Endless arguments are rejected too, but only after a million objects. */
const oddValues = Object.keys(hostileValues).filter((name) => name !== 'endless proxy');
const rubbish = fc.record(Object.fromEntries(values.map((name) => [name, fc.constantFrom(...oddValues)])), {
  requiredKeys: [],
});
/** Few faults at a time, because the first failure would hide all others. */
const few = <Value extends object>(all: fc.Arbitrary<Value>, most: number): fc.Arbitrary<Value> =>
  fc.tuple(all, fc.array(fc.nat(30), { maxLength: most })).map(([chosen, indices]) => {
    const entries = Object.entries(chosen);
    return Object.fromEntries(indices.flatMap((index) => entries.slice(index, index + 1))) as Value;
  });

describe('dispatch under faults', () => {
  it('returns one valid result and one pair of events per call, whichever step fails', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', listen);
    try {
      const scene = fc.record({ broken: few(faults, 3), odd: few(rubbish, 1), asks: fc.boolean() });
      await fc.assert(fc.asyncProperty(scene, playScene), { numRuns: 300 });
      // Rejections count as unhandled at the end of the event loop turn.
      await new Promise((resolve) => setTimeout(resolve, 0));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', listen);
    }
  });

  it.each(Object.keys(functions) as Site[])('handles every fault of %s', async (site) => {
    const ways = fc.sample(fault(functions[site]), { numRuns: 150, seed: 1 });
    const byLabel = new Map(ways.map((way) => [way.label, way]));
    // It is rejected only after a million objects, as it is when it is returned without a promise.
    if (!isLong) byLabel.delete('promises endless proxy');
    for (const way of byLabel.values()) {
      await playScene({ broken: { [site]: way }, odd: {}, asks: site === 'initialTitle' || site === 'footprint' });
    }
    expect(byLabel.size).toBeGreaterThan(50);
  });

  it.each(values)('handles every invalid value of %s', async (name) => {
    for (const odd of oddValues) await playScene({ broken: {}, odd: { [name]: odd }, asks: true });
  });
});
