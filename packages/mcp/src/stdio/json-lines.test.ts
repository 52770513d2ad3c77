import { StringDecoder } from 'node:string_decoder';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createJsonLineReader } from './json-lines.ts';

type Received = readonly (readonly ['message' | 'garbage' | 'oversized', ...unknown[]])[];

function read(chunks: readonly Buffer[], maxLineBytes = 1_000): Received {
  const received: [kind: 'message' | 'garbage' | 'oversized', ...unknown[]][] = [];
  const reader = createJsonLineReader(maxLineBytes, {
    onMessage: (message) => received.push(['message', message]),
    onGarbage: (sample) => received.push(['garbage', sample]),
    onOversized: (bytes, id) => received.push(['oversized', bytes, id]),
  });
  for (const chunk of chunks) reader.feed(chunk);
  return received;
}

function cut(bytes: Buffer, at: readonly number[]): readonly Buffer[] {
  const places = [0, ...at.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const message = (id: number, text: string): string => JSON.stringify({ jsonrpc: '2.0', id, result: { text } });

describe('a stream of JSON lines', () => {
  it('is read independently of its chunks', () => {
    const line = fc.oneof(
      fc
        .record({ id: fc.nat(), text: fc.string({ unit: 'grapheme', maxLength: 40 }) })
        .map(({ id, text }) => message(id, text)),
      fc.string({ maxLength: 30 }).map((text) => text.replaceAll('\n', ' ')),
      fc.constant(message(7, 'x'.repeat(400))),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.array(fc.nat(5_000), { maxLength: 12 }), (lines, places) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        expect(read(cut(bytes, places), 300)).toEqual(read([bytes], 300));
      }),
    );
  });

  it('keeps messages between invalid lines', () => {
    const received = read([
      Buffer.from(
        `starting\n${message(1, 'a')}\n{"no":"message"}\n[]\n\n   \r\nloading ${message(2, 'b')}\r\n{"jsonrpc":"2.0",\n`,
      ),
    ]);
    expect(received.filter(([kind]) => kind === 'message').map(([, value]) => (value as { id: number }).id)).toEqual([
      1, 2,
    ]);
    expect(received.filter(([kind]) => kind === 'garbage').length).toBe(5);
  });

  it.each([
    ['at the end', `{"result":{"text":"\\"id\\":99}${'x'.repeat(2_000)}"},"jsonrpc":"2.0","id":12}`, 12],
    ['at the beginning', `{"jsonrpc":"2.0","id":12,"result":{"text":"${'x'.repeat(2_000)}\\"id\\":99}"}}`, 12],
    ['as a text', `{"jsonrpc":"2.0","id":"12","result":"${'x'.repeat(2_000)}"}`, '12'],
    ['in an ambiguous position', `{"result":"${'x'.repeat(2_000)}","id":12,"more":"${'x'.repeat(2_000)}"}`, undefined],
    ['only inside the content', `{"result":{"a":"${'x'.repeat(2_000)}","b":"\\"id\\":99}"}}`, undefined],
  ])('skips an oversized line and finds its id %s', (_where, line, id) => {
    const bytes = Buffer.from(`${line}\n${message(13, 'next')}\n`);
    for (const places of [[], [999, 1_000, 1_001], [1, 1_500, 1_990]]) {
      expect(read(cut(bytes, places))).toEqual([
        ['oversized', line.length, id],
        ['message', JSON.parse(message(13, 'next'))],
      ]);
    }
  });

  it('is safe with keys such as __proto__', () => {
    const [[, value] = []] = read([Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"__proto__":{"polluted":true}}}\n')]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.hasOwn((value as { result: object }).result, '__proto__')).toBe(true);
  });

  it('takes linear time for a line in small chunks', () => {
    // Detects a quadratic reader by the number of copied bytes instead of the time.
    const moved = (length: number): number => {
      const concat = vi.spyOn(Buffer, 'concat');
      const write = vi.spyOn(StringDecoder.prototype, 'write');
      try {
        const line = Buffer.from(`${message(1, 'x'.repeat(length))}\n`);
        const chunks = Array.from({ length: Math.ceil(line.length / 100) }, (_, index) =>
          line.subarray(index * 100, index * 100 + 100),
        );
        expect(read(chunks, 10_000_000).length).toBe(1);
        const decoded = write.mock.calls.reduce((bytes, [piece]) => bytes + Buffer.byteLength(piece as Buffer), 0);
        return concat.mock.results.reduce((bytes, { value }) => bytes + (value as Buffer).byteLength, decoded);
      } finally {
        concat.mockRestore();
        write.mockRestore();
      }
    };
    expect(moved(200_000)).toBeGreaterThan(199_000);
    expect(moved(400_000) / moved(200_000)).toBeLessThan(2.2);
  });
});
