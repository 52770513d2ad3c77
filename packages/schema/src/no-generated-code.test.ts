import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const index = JSON.stringify(new URL('index.ts', import.meta.url).href);

/** Runs a program without code generation, as on edge runtimes, and returns the JSON that it prints. */
async function runAtTheEdge(body: string): Promise<unknown> {
  const program = `
    let isRefused = false;
    try { new Function('return 1'); } catch { isRefused = true; }
    if (!isRefused) throw new Error('code can be generated here');
    const { compileSchema, describeIssues, toDialect } = await import(${index});
    const print = (value) => console.log(JSON.stringify(value));
    const again = async (schema, value) => {
      let result;
      for (let count = 0; count < 20; count += 1) result = await schema.validate(value);
      return result;
    };
    ${body}
  `;
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags, {
    cwd: new URL('.', import.meta.url).pathname,
  });
  return JSON.parse(stdout);
}

const check = `
  await schema.ready();
  const good = await again(schema, { city: 'Bonn', days: 2, tags: ['a'] });
  const helped = await again(schema, { City: 'Bonn', days: '2', tags: 'a' });
  const bad = await again(schema, { city: 5, days: 2.5 });
  print({ good: good.ok, helped: helped.value, bad: describeIssues(bad.issues), isReady: schema.ready() === undefined });
`;
const expected = {
  good: true,
  helped: { city: 'Bonn', days: 2, tags: ['a'] },
  bad: [
    '$.city: expected string, received number 5. Example: "text"',
    '$.days: expected integer, received number 2.5. Example: 1',
  ].join('\n'),
  isReady: true,
};

describe('without code generation', () => {
  it('a JSON Schema validates, coerces and explains', async () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer', minimum: 1 },
        tags: { type: 'array', items: { type: 'string', pattern: 'a+$' } },
      },
      required: ['city'],
    };
    expect(await runAtTheEdge(`const schema = compileSchema(${JSON.stringify(schema)}); ${check}`)).toEqual(expected);
  });

  it('a zod schema validates, coerces and explains', async () => {
    const schema = `z.object({ city: z.string(), days: z.int().min(1).optional(), tags: z.array(z.string()).optional() })`;
    expect(
      await runAtTheEdge(`const z = await import('zod'); const schema = compileSchema(${schema}); ${check}`),
    ).toEqual(expected);
  });

  it('a schema is converted to a dialect, and an answer is raised', async () => {
    const body = `
      const lowered = toDialect({ type: 'object', properties: { a: { type: 'integer' } } }, 'openai-strict');
      print(lowered.raise({ a: null }));
    `;
    expect(await runAtTheEdge(body)).toEqual({});
  });
});
