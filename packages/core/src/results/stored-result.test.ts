import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentPart } from '../contracts/results/content.ts';
import type { ToolResult } from '../contracts/results/result.ts';
import { body, run } from '../fixtures/run-call.ts';
import { fileEffects, processEffects } from './effects-of.ts';
import { renderForModel } from './render-for-model.ts';
import { fromStoredResult, toStoredResult } from './stored-result.ts';
import { toolError } from './tool-error.ts';
import { failure, success } from './tool-result.ts';

const text = fc.string({ unit: 'binary', maxLength: 20 });
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const bytes = fc.uint8Array({ maxLength: 40 });
const record = fc.dictionary(text, json, { maxKeys: 3 });
const sometimes = <Value>(name: string, value: fc.Arbitrary<Value>): fc.Arbitrary<Record<string, Value>> =>
  fc.option(value, { nil: undefined }).map((chosen) => (chosen === undefined ? {} : { [name]: chosen }));

const part = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('json' as const), value: json }),
  fc.record({ type: fc.constantFrom('image' as const, 'audio' as const), data: bytes, mediaType: text }),
  fc.tuple(text, fc.oneof(text, bytes)).map(([uri, content]): ContentPart => ({
    type: 'resource',
    resource: { uri, name: uri, type: 'text/plain', read: () => content },
  })),
);
const effect = fc.oneof(
  fc
    .tuple(
      fc.record({
        kind: fc.constant('file' as const),
        path: text,
        op: fc.constantFrom('create' as const, 'rename' as const),
      }),
      sometimes('bytesAfter', fc.nat()),
      sometimes('from', text),
    )
    .map((parts) => Object.assign({}, ...parts) as ToolResult['effects'][number]),
  fc.record({ kind: fc.constant('process' as const), command: text, background: fc.boolean(), exitCode: fc.nat() }),
);
const issue = fc.record({ path: text, code: text, expected: text, received: text, message: text });
const error = fc
  .tuple(
    fc.record({
      code: fc.constantFrom('EXIT_CODE', 'MINE'),
      fault: fc.constantFrom(
        'model' as const,
        'world' as const,
        'policy' as const,
        'host' as const,
        'cancelled' as const,
      ),
      retryable: fc.boolean(),
      message: text,
    }),
    sometimes('hint', text),
    sometimes('details', record),
    sometimes('issues', fc.array(issue, { maxLength: 2 })),
    sometimes(
      'denial',
      fc.record({ source: fc.constantFrom('rule', 'person'), reason: text, ruleKey: text, hint: text }),
    ),
    sometimes('cause', text),
  )
  .map((parts) => Object.assign({}, ...parts) as ReturnType<typeof toolError>);
const extras = fc
  .tuple(
    fc.record({
      name: text,
      effects: fc.array(effect, { maxLength: 3 }),
      metadata: record,
      advisories: fc.array(text, { maxLength: 2 }),
    }),
    fc.record({ startedAt: fc.nat(), durationMs: fc.nat() }),
    sometimes('summary', text),
    sometimes('structured', json),
    sometimes(
      'diff',
      fc.record({ path: text, patch: text, existedBefore: fc.boolean(), additions: fc.nat(), deletions: fc.nat() }),
    ),
    sometimes(
      'arguments',
      fc.record({
        value: json,
        risk: fc.constantFrom('none', 'lossy'),
        repairs: fc.constant([]),
        coercions: fc.constant([]),
      }),
    ),
  )
  .map((parts) => Object.assign({}, ...parts) as object);
const result = fc
  .tuple(text, fc.array(part, { maxLength: 4 }), extras, fc.option(error, { nil: undefined }))
  .map(([callId, content, more, wrong]) =>
    wrong === undefined ? success(callId, content, more) : failure(callId, wrong, { ...more, content }),
  );

/** Returns a result with the content of its resources inlined. */
async function withContent(given: ToolResult): Promise<unknown> {
  const content = await Promise.all(
    given.content.map(async (one) =>
      one.type === 'resource'
        ? { ...one.resource, read: undefined, body: await one.resource.read() }
        : one.type === 'json'
          ? { ...one, value: one.value }
          : one,
    ),
  );
  return { ...given, content };
}

describe('a stored result', () => {
  it('is restored unchanged and renders the same for a model', async () => {
    await fc.assert(
      fc.asyncProperty(result, async (given) => {
        const stored = await toStoredResult(given);
        const back = fromStoredResult(JSON.parse(JSON.stringify(stored)));
        expect(await withContent(back)).toEqual(await withContent(given));
        expect(renderForModel(back)).toBe(renderForModel(given));
        expect(await toStoredResult(back)).toEqual(stored);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the serializable members of values that JSON cannot represent', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const given = failure(
      '1',
      toolError('EXECUTION_ERROR', 'broke', { cause: new Error('inside'), details: { cyclic, n: 1n, a: 1 } }),
      {
        metadata: { cyclic, call: () => undefined, kept: [1] },
      },
    );
    const back = fromStoredResult(await toStoredResult(given));
    expect(back.metadata).toEqual({ kept: [1] });
    expect(back).toMatchObject({ error: { cause: 'inside', details: { a: 1 } } });
  });

  it('contains resources up to a size, and only the URI of larger ones', async () => {
    const resource = { uri: 'note:1', name: 'one', type: '', read: () => Promise.resolve('x'.repeat(100)) };
    const given = success('1', { type: 'resource', resource });
    const small = fromStoredResult(await toStoredResult(given)).content[0];
    expect(small?.type === 'resource' && small.resource.read()).toBe('x'.repeat(100));
    const large = fromStoredResult(await toStoredResult(given, { maxResourceBytes: 99 })).content[0];
    await expect((async () => (large?.type === 'resource' ? large.resource.read() : ''))()).rejects.toThrow('note:1');
    const gone = { ...resource, read: () => Promise.reject(new Error('gone')) };
    expect((await toStoredResult(success('1', { type: 'resource', resource: gone })))['content']).toEqual([
      { type: 'resource', resource: { uri: 'note:1', name: 'one', type: '' } },
    ]);
  });

  it('supports every result of a dispatcher', async () => {
    for (const value of [undefined, 'text', 5, { a: [null] }, new Uint8Array([0x89, 0x50, 0x4e, 0x47]), new Date(0)]) {
      const { result: given } = await run('{a: 1}', [body(() => value)]);
      const back = fromStoredResult(await toStoredResult(given));
      expect(renderForModel(back)).toBe(renderForModel(given));
      expect(back.arguments).toEqual(given.arguments);
    }
  });

  it.each([
    [null, /must be an object/],
    [{}, /version/],
    [{ version: 2 }, /version 2/],
    [{ version: 1, callId: 'a', name: 'b', ok: true }, /content/],
    [{ version: 1, callId: 'a', name: 'b', content: [] }, /"ok" must be a boolean/],
    [{ version: 1, callId: 'a', name: 'b', content: [], ok: false }, /needs an "error" object/],
    [
      { version: 1, callId: 'a', name: 'b', ok: true, content: [{ type: 'image', mediaType: 'x', base64: '?' }] },
      /base64/,
    ],
    [{ version: 1, callId: 'a', name: 'b', ok: true, content: [{ type: 'resource', resource: {} }] }, /resource/],
    [{ version: 1, callId: 'a', name: 'b', ok: true, content: [{ type: 'video' }] }, /"type" of a content part/],
  ])('throws for the invalid value %j', (stored, message) => {
    expect(() => fromStoredResult(stored)).toThrow(message);
  });
});

describe('effects', () => {
  it('can be filtered by kind', () => {
    const file = { kind: 'file', path: 'a', op: 'create' } as const;
    const process = { kind: 'process', command: 'ls', background: false } as const;
    const given = success('1', 'x', { effects: [file, process, file] });
    expect([fileEffects(given), processEffects(given)]).toEqual([[file, file], [process]]);
  });
});
