import { afterEach, describe, expect, it } from 'vitest';
import { createHandWrittenServer, listedTool } from '../../fixtures/hand-written-server.ts';
import { createTestConnection } from '../../fixtures/test-connection.ts';
import { fillDefaults, relaxDefaults } from './required-defaults.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end();
});

const screenshot = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: ['png', 'jpeg'], default: 'png' },
    clip: {
      type: 'object',
      properties: { scale: { type: 'number', default: 1 }, x: { type: 'number' } },
      required: ['scale', 'x'],
    },
    marks: {
      type: 'array',
      items: { type: 'object', properties: { size: { type: 'integer', default: 8 } }, required: ['size'] },
    },
    file: { type: 'string' },
  },
  required: ['type', 'file'],
};

describe('a required argument with a default', () => {
  it('may be missing, and reaches the server with its default', async () => {
    const received: unknown[] = [];
    const server = createHandWrittenServer({
      'tools/list': () => ({ tools: [listedTool('take', { inputSchema: screenshot })] }),
      'tools/call': (params) => {
        received.push(params['arguments']);
        return { content: [{ type: 'text', text: 'taken' }] };
      },
    });
    const { connection, call } = await createTestConnection({ name: 'browser', transport: server.transport });
    cleanups.push(() => connection.close());
    expect((await call('browser_take', { file: 'a', clip: { x: 3 }, marks: [{}, { size: 2 }] })).ok).toBe(true);
    expect((await call('browser_take', { file: 'b', type: 'jpeg' })).ok).toBe(true);
    expect(received).toEqual([
      { file: 'a', type: 'png', clip: { x: 3, scale: 1 }, marks: [{ size: 8 }, { size: 2 }] },
      { file: 'b', type: 'jpeg' },
    ]);
    // Members without a default are still required, and wrong values are still refused.
    expect(await call('browser_take', {})).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS' } });
    expect(await call('browser_take', { file: 'a', type: 'gif' })).toMatchObject({ ok: false });
    expect(received).toHaveLength(2);
  });

  it('leaves other schemas and arguments unchanged', () => {
    const plain = { type: 'object', properties: { a: { default: 1 }, b: {} }, required: ['b'] };
    expect(relaxDefaults(plain)).toBe(plain);
    const args = { b: [{ c: 1 }] };
    expect(fillDefaults(plain, args)).toBe(args);
    for (const odd of [null, true, 'text', [1], { properties: 3, required: 'a' }, { required: ['__proto__', 4] }])
      expect(fillDefaults(odd, args)).toBe(args);
  });

  it('does not share its default between calls', () => {
    const schema = { properties: { list: { default: [] as unknown[] } }, required: ['list'] };
    const first = fillDefaults(schema, {}) as { readonly list: unknown[] };
    first.list.push(1);
    expect(fillDefaults(schema, {})).toEqual({ list: [] });
  });
});
