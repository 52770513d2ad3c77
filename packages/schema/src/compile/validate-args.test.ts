import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SchemaError, validateArgs } from '../index.ts';

const schema = { type: 'object', properties: { path: { type: 'string' } } };

describe('validateArgs', () => {
  it.each([undefined, null, '', '  \n'])('reads absent arguments (%j) as an empty object', async (args) => {
    expect(await validateArgs(args, schema)).toEqual({ ok: true, value: {}, issues: [], coercions: [] });
  });

  it('gives the typed value of zod', async () => {
    const result = await validateArgs({ path: 'a', n: '5' }, z.object({ path: z.string(), n: z.int() }));
    expect(result.ok && result.value.path.length + result.value.n).toBe(6);
  });

  it('gives issues for what does not fit and rejects for what is no schema', async () => {
    expect(await validateArgs({ path: 5 }, schema)).toMatchObject({ ok: false, issues: [{ path: '$.path' }] });
    await expect(validateArgs({}, { type: 'nothing' })).rejects.toThrow(SchemaError);
  });

  it('reads arguments that are JSON in a string', async () => {
    expect(await validateArgs('{"path":"a"}', schema)).toMatchObject({
      ok: true,
      value: { path: 'a' },
      coercions: [{ path: '$', code: 'json_parsed' }],
    });
  });
});
