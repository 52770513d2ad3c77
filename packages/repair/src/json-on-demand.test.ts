import { describe, expect, it } from 'vitest';

import { type RepairOptions, createJsonStream, ready as readyAtOnce, repairJson as atOnce } from './json.ts';
import { createJsonStream as streamOnDemand, ready, repairJson as onDemand } from './json-on-demand.ts';

const schema = {
  type: 'object',
  properties: { path: { type: 'string' }, id: { type: 'string' }, n: { type: 'integer' } },
  required: ['path'],
};
const options: readonly RepairOptions[] = [
  {},
  { schema },
  { schema, root: 'object' },
  { schema: true },
  { root: 'object', stopped: 'length' },
  { limits: { duplicateKeys: 'refuse' } },
  { limits: { unsafeIntegers: 'report' } },
  { limits: { depth: 1 } },
  { limits: { size: 5 } },
  { limits: { size: 1_000, duplicateKeys: 'last' } },
];
const texts = [
  '{"path": "a"}',
  '{"path": "C:\\new"}',
  '{"path": "a", "id": 1e3}',
  '{"path": "a", "n": 12345678901234567890}',
  '{"arguments": {"path": "a"}}',
  '[{"path": "a"}]',
  '"{\\"path\\": \\"a\\"}"',
  '{"path": "a", "path": "b"}',
  ' {"a": [1, {"b": null}]} ',
  '{}',
  '[]',
  '12',
  'null',
  '',
  '  ',
  '{"path": "a"',
  "{path: 'a'}",
];

/**
 * When run from source, the repair code is never loaded synchronously, as if the program were importing it at the
 * moment.
 */
function readNow(text: string, option: RepairOptions): unknown {
  try {
    return onDemand(text, option);
  } catch {
    return undefined;
  }
}

describe('the Node entry before the repair code is loaded', () => {
  it('parses JSON and common mistakes exactly like the full code, and leaves the rest to it', () => {
    let readable = 0;
    for (const option of options) {
      for (const text of texts) {
        const now = readNow(text, option);
        const whole = atOnce(text, option);
        if (now === undefined) continue;
        readable += 1;
        expect(now, `${text} ${JSON.stringify(option)}`).toEqual(whole);
        expect(whole).toMatchObject({ ok: true, risk: 'none', repairs: [] });
      }
    }
    expect(readable).toBeGreaterThan(50);
    expect(readNow('{"path": "a"}', { schema, root: 'object' })).toBeDefined();
    for (const damaged of ["{path: 'a'}", '{"path": "C:\\new"}', '[{"path": "a"}]', '']) {
      expect(readNow(damaged, { schema, root: 'object' }), damaged).toBeUndefined();
    }
  });

  it('returns a promise for the load, and parses everything afterwards', async () => {
    expect(() => onDemand("{path: 'a'}")).toThrow();
    const waiting = ready();
    expect(waiting).toBeInstanceOf(Promise);
    await waiting;
    expect(ready()).toBeUndefined();
    for (const option of options)
      for (const text of texts) expect(onDemand(text, option)).toEqual(atOnce(text, option));
    expect(() => onDemand(12 as never)).toThrow(TypeError);
    expect(() => onDemand('{}', { rot: 'object' } as never)).toThrow('repairJson: options.rot is not an option');
    const [one, other] = [streamOnDemand(), createJsonStream()];
    for (const stream of [one, other]) stream.push('{"a": "b');
    expect(one.value).toEqual(other.value);
  });

  it('is the only entry that loads code on demand', () => {
    expect(readyAtOnce()).toBeUndefined();
  });
});
