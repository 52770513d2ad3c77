import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { createLineChannel } from './line-channel.ts';

/** A channel on a stream that the test feeds by hand. */
function open(maxBytes = 1_000) {
  const written: string[] = [];
  const stream = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk.toString());
      done();
    },
  });
  const heard: unknown[] = [];
  const channel = createLineChannel(stream, maxBytes, {
    onMessage: (message) => heard.push(message),
    onGarbage: () => heard.push('garbage'),
    onEnd: () => heard.push('end'),
  });
  const feed = (bytes: Uint8Array | string): void => void stream.emit('data', Buffer.from(bytes as Uint8Array));
  return { stream, channel, written, heard, feed };
}

describe('a channel of lines', () => {
  it('gives the messages that were sent, however they are cut on their way', () => {
    const message = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), { maxKeys: 4 });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 9 }),
        (messages, cuts) => {
          const { feed, heard } = open(100_000);
          const bytes = Buffer.from(messages.map((each) => `${JSON.stringify(each)}\n`).join(''));
          for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
            const length = cuts[turn % cuts.length]!;
            feed(bytes.subarray(at, at + length));
            at += length;
          }
          expect(heard).toEqual(messages.map((each) => JSON.parse(JSON.stringify(each)) as unknown));
        },
      ),
    );
  });

  it('takes what is no object, and what is too long, for garbage, and goes on after it', () => {
    const { feed, heard } = open(100);
    feed('not json\n5\n[1]\nnull\n');
    feed('{"a":');
    for (let count = 0; count < 50; count += 1) feed('x'.repeat(50));
    feed(`\n{"long":"${'x'.repeat(200)}"}\n{"fine":1}\n`);
    expect(heard).toEqual(['garbage', 'garbage', 'garbage', 'garbage', 'garbage', 'garbage', { fine: 1 }]);
  });

  it('says once that it has ended, and takes nothing more', () => {
    const { stream, channel, written, heard } = open();
    expect(channel.send({ a: 1 })).toBe(true);
    stream.destroy(new Error('broken'));
    stream.emit('end');
    return new Promise<void>((resolve) => stream.once('close', resolve)).then(() => {
      expect(heard).toEqual(['end']);
      expect(channel.send({ a: 2 })).toBe(false);
      return expect(written).toEqual(['{"a":1}\n']);
    });
  });

  it('throws for what JSON can not tell', () => {
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
      const { feed, heard } = open(1e9);
      for (let at = 0; at < bytes.length; at += 1_000) feed(bytes.subarray(at, at + 1_000));
      expect(heard.length).toBeGreaterThanOrEqual(0);
    };
    expect(await growthOf(make, run, 200_000)).toBeLessThan(linearGrowth);
  });
});
