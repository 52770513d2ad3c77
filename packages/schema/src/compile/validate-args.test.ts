import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SchemaError, validateArgs } from '../index.ts';

const schema = { type: 'object', properties: { path: { type: 'string' } } };

describe('validateArgs', () => {
  it.each([undefined, null, '', '  \n'])('treats absent arguments (%j) as an empty object', async (args) => {
    expect(await validateArgs(args, schema)).toEqual({ ok: true, value: {}, issues: [], coercions: [] });
  });

  it("returns zod's typed value", async () => {
    const result = await validateArgs({ path: 'a', n: '5' }, z.object({ path: z.string(), n: z.int() }));
    expect(result.ok && result.value.path.length + result.value.n).toBe(6);
  });

  it('returns issues for a value that does not fit and rejects for an invalid schema', async () => {
    expect(await validateArgs({ path: 5 }, schema)).toMatchObject({ ok: false, issues: [{ path: '$.path' }] });
    await expect(validateArgs({}, { type: 'nothing' })).rejects.toThrow(SchemaError);
  });

  it('parses arguments that are JSON in a string', async () => {
    expect(await validateArgs('{"path":"a"}', schema)).toMatchObject({
      ok: true,
      value: { path: 'a' },
      coercions: [{ path: '$', code: 'json_parsed' }],
    });
  });
});
