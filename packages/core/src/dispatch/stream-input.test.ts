import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { z } from 'zod';
import type { StreamedInput } from '../contracts/tools/tool.ts';
import { defineTool, eraseTool } from '../define/define-tool.ts';
import { createInputStream } from './stream-input.ts';

const make = (onInput: (input: StreamedInput) => void) =>
  eraseTool(
    defineTool({
      name: 'write',
      description: 'd',
      input: z.object({ path: z.string(), body: z.string() }),
      onInput,
      execute: () => undefined,
    }),
  );

describe('a tool with onInput', () => {
  it('receives its arguments while they are written', () => {
    const received: string[] = [];
    const tool = make(({ callId, partial }) => received.push(`${callId} ${JSON.stringify(partial)}`));
    const stream = createInputStream(tool, 'c1')!;
    for (const piece of ['{"path":"a.ts",', '"body":"one', ' two"', '}']) stream.push(piece);
    expect(received[0]).toBe('c1 {"path":"a.ts"}');
    expect(received).toContain('c1 {"path":"a.ts","body":"one"}');
    expect(received.at(-1)).toBe('c1 {"path":"a.ts","body":"one two"}');
  });

  it('receives every chunk of a text once, regardless of how the text is split', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]*$/), fc.array(fc.nat(12), { minLength: 1 }), (body, lengths) => {
        let joined = '';
        const tool = make(({ deltas }) => {
          for (const { path, text } of deltas) if (path[0] === 'body') joined += text;
        });
        const stream = createInputStream(tool, 'c1')!;
        const text = JSON.stringify({ path: 'a', body });
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const length = 1 + lengths[turn % lengths.length]!;
          stream.push(text.slice(at, at + length));
          at += length;
        }
        expect(joined).toBe(body);
      }),
    );
  });

  it('has a flag, and a tool without onInput has no overhead', () => {
    expect(make(() => undefined).supportsInputStreaming).toBe(true);
    const deaf = eraseTool(defineTool({ name: 'deaf', description: 'd', execute: () => undefined }));
    expect([deaf.supportsInputStreaming, createInputStream(deaf, 'c1')]).toEqual([false, undefined]);
  });

  it('does not affect the call when it throws or rejects, and gets no more updates after it throws', () => {
    let received = 0;
    const stream = createInputStream(
      make(() => {
        received += 1;
        throw new Error('x');
      }),
      'c1',
    )!;
    for (const piece of ['{"path":"a",', '"body":"b"', '}', '{{{']) stream.push(piece);
    expect(received).toBe(1);
    const rejecting = createInputStream(make((() => Promise.reject(new Error('x'))) as never), 'c2')!;
    rejecting.push('{"path":"a"}');
  });

  it('handles any text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('{', '"', '[', '\\', ',', ':'))), (pieces) => {
        const stream = createInputStream(
          make(({ partial }) => void JSON.stringify(partial)),
          'c1',
        )!;
        for (const piece of pieces) stream.push(piece);
      }),
    );
  });
});
