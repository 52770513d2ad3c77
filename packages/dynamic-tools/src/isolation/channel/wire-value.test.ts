import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareValue, reviveValue, writeForWire } from './wire-value.ts';

const travel = async (value: unknown): Promise<unknown> =>
  reviveValue(JSON.parse(writeForWire(await prepareValue(value))) as unknown);

describe('value between processes', () => {
  it('arrives unchanged if it is JSON, whatever its keys', async () => {
    const key = fc.oneof(
      fc.string(),
      fc.constantFrom('$haft:bytes', '$haft:resource', '$haft:', '$haft:$haft:bytes', '__proto__', 'constructor'),
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(key, tree, { maxKeys: 5 }), async (value) => {
        expect(await travel(value)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('preserves bytes of any kind at any position', async () => {
    const whole = new Uint8Array([1, 2, 3, 4]);
    const value = {
      a: [whole.subarray(1, 3)],
      b: Buffer.from([9]),
      c: { type: 'image', data: new Uint8Array(), mediaType: 'x' },
    };
    expect(await travel(value)).toEqual({
      a: [new Uint8Array([2, 3])],
      b: new Uint8Array([9]),
      c: { type: 'image', data: new Uint8Array(), mediaType: 'x' },
    });
  });

  it('reads resources, alone, in parts and in results', async () => {
    const resource = { uri: 'mem://x', name: 'x', type: 'text/plain', description: 'd', read: () => 'body' };
    const bytes = { ...resource, read: async () => new Uint8Array([5]) };
    const arrived = (await travel({
      ok: true,
      content: [
        { type: 'resource', resource },
        { type: 'resource', resource: bytes },
      ],
    })) as {
      content: readonly { resource: { uri: string; description: string; read(): unknown } }[];
    };
    expect(arrived.content.map(({ resource: each }) => [each.uri, each.description, each.read()])).toEqual([
      ['mem://x', 'd', 'body'],
      ['mem://x', 'd', new Uint8Array([5])],
    ]);
    expect(((await travel(resource)) as { read(): unknown }).read()).toBe('body');
    const inParts = (await travel([{ type: 'resource', resource }])) as readonly { resource: { read(): unknown } }[];
    expect(inParts[0]?.resource.read()).toBe('body');
  });

  it.each([
    ['a function', () => undefined],
    ['a symbol', Symbol('x')],
    ['a Map', new Map()],
    ['a Set', new Set()],
  ])('is refused when it is %s', async (_what, value) => {
    await expect(travel(value)).rejects.toThrow(TypeError);
  });

  it("is refused when it is circular or JSON can't represent it", async () => {
    const ring: Record<string, unknown> = {};
    ring['ring'] = ring;
    await expect(travel(ring)).rejects.toThrow(TypeError);
    await expect(travel({ big: 10n })).rejects.toThrow(TypeError);
  });

  it('affects only itself when it is forged', () => {
    for (const forged of [
      { '$haft:bytes': 5 },
      { '$haft:resource': 'x' },
      { '$haft:resource': { uri: 5 } },
      { '$haft:bytes': '!!!' },
    ])
      expect(() => reviveValue(forged)).not.toThrow();
    const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as unknown;
    expect(() => reviveValue(deep)).toThrow(RangeError);
  });
});
