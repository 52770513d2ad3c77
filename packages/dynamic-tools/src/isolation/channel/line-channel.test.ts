import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { createLineChannel } from './line-channel.ts';

/** Creates a channel on a stream that the test writes to. */
function open(maxBytes = 1_000, isPeerTrusted = false) {
  const written: string[] = [];
  const stream = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk.toString());
      done();
    },
  });
  const received: unknown[] = [];
  const limits = { sent: maxBytes, received: maxBytes, isPeerTrusted };
  const channel = createLineChannel(stream, limits, {
    onMessage: (message) => received.push(message),
    onFault: (fault) => received.push(fault),
    onEnd: () => received.push('end'),
  });
  const feed = (bytes: Uint8Array | string): void => void stream.emit('data', Buffer.from(bytes as Uint8Array));
  return { stream, channel, written, received, feed };
}

describe('createLineChannel', () => {
  it('delivers the sent messages, however they are split in transit', () => {
    const message = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), { maxKeys: 4 });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 9 }),
        (messages, cuts) => {
          const { feed, received } = open(100_000);
          const bytes = Buffer.from(messages.map((each) => `${JSON.stringify(each)}\n`).join(''));
          for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
            const length = cuts[turn % cuts.length]!;
            feed(bytes.subarray(at, at + length));
            at += length;
          }
          expect(received).toEqual(messages.map((each) => JSON.parse(JSON.stringify(each)) as unknown));
        },
      ),
    );
  });

  it('reports non-objects and long lines as faults and continues', () => {
    const { feed, received } = open(100);
    feed('not json\n5\n[1]\nnull\n');
    feed('{"a":');
    for (let count = 0; count < 50; count += 1) feed('x'.repeat(50));
    feed(`\n{"long":"${'x'.repeat(200)}"}\n{"fine":1}\n`);
    const wrong = 'not an object';
    expect(received).toEqual([wrong, wrong, wrong, wrong, 'too long', 'too long', { fine: 1 }]);
  });

  it('reports a line that is too long once, before its end arrives', () => {
    const { feed, received } = open(100);
    for (let count = 0; count < 50; count += 1) feed('x'.repeat(50));
    expect(received).toEqual(['too long']);
  });

  it.each([
    ['nested', `{"a":${'['.repeat(300)}${']'.repeat(300)}}`],
    ['nested and never closed', `{"a":${'[{"a":'.repeat(300)}`],
    ['nested behind a string with quotes', `{"\\"]]]]\\\\":${'['.repeat(300)}${']'.repeat(300)}}`],
    ['an array of many items', `{"a":[${'1,'.repeat(200_000)}1]}`],
    ['an object of many members', `{${Array.from({ length: 110_000 }, (_, n) => `"${n}":1`).join()}}`],
    ['many empty arrays', `{"a":[${'[],'.repeat(60_000)}[]]}`],
  ])('does not parse a line of a peer that is too complex (%s)', (_what, line) => {
    const { feed, received } = open(10_000_000);
    feed(`${line}\n{"fine":1}\n`);
    expect(received).toEqual(['too complex', { fine: 1 }]);
    const trusted = open(10_000_000, true);
    trusted.feed(`${line}\n`);
    expect(trusted.received).not.toContain('too complex');
  });

  it('ignores brackets and commas inside strings', () => {
    const { feed, received } = open(10_000_000);
    const message = { a: '[{,'.repeat(200_000), b: '\\"'.repeat(1_000), '[[[': '\\' };
    feed(`${JSON.stringify(message)}\n`);
    expect(received).toEqual([message]);
  });

  it('drops buffered messages after it is stopped', () => {
    const stream = new Duplex({ read: () => undefined });
    const received: string[] = [];
    const limits = { sent: 100, received: 100, isPeerTrusted: false };
    const channel = createLineChannel(stream, limits, {
      onMessage: () => received.push('message'),
      onFault(fault) {
        received.push(fault);
        channel.stop();
      },
      onEnd: () => undefined,
    });
    stream.emit('data', Buffer.from(`{"a":1}\n${'\n'.repeat(60_000)}{"a":1}\n`));
    stream.emit('data', Buffer.from('{"a":1}\n'));
    expect(received).toEqual(['message', 'not an object']);
  });

  it('reports the end once and delivers nothing afterwards', () => {
    const { stream, channel, written, received } = open();
    expect(channel.send({ a: 1 })).toBe(true);
    stream.destroy(new Error('broken'));
    stream.emit('end');
    return new Promise<void>((resolve) => stream.once('close', resolve)).then(() => {
      expect(received).toEqual(['end']);
      expect(channel.send({ a: 2 })).toBe(false);
      return expect(written).toEqual(['{"a":1}\n']);
    });
  });

  it("throws for values that JSON can't represent", () => {
    const ring: Record<string, unknown> = {};
    ring['ring'] = ring;
    expect(() => open().channel.send(ring)).toThrow(TypeError);
  });

  it.each([
    ['one long line', (size: number) => Buffer.from(`{"a":"${'x'.repeat(size)}"}\n`)],
    ['many short lines', (size: number) => Buffer.from('{"a":1}\n'.repeat(size / 8))],
    ['a line that never ends', (size: number) => Buffer.from('x'.repeat(size))],
  ])('costs linear time (%s)', async (_what, make) => {
    const run = (bytes: Buffer): void => {
      const { feed, received } = open(1e9);
      for (let at = 0; at < bytes.length; at += 1_000) feed(bytes.subarray(at, at + 1_000));
      expect(received.length).toBeGreaterThanOrEqual(0);
    };
    expect(await growthOf(make, run, 200_000)).toBeLessThan(linearGrowth);
  });
});
