import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const program = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({
    resolve(name, context, next) {
      const found = next(name, context);
      loaded.push(found.url);
      return found;
    },
  });
  const count = () => ({
    zod: loaded.filter((url) => url.includes('/zod/')).length,
    ajv: loaded.filter((url) => url.includes('/ajv/')).length,
    builtins: loaded.filter((url) => url.startsWith('node:')).length,
    own: loaded.filter((url) => url.includes('/schema/src/')).length,
  });
  const { compileSchema } = await import(${JSON.stringify(new URL('index.ts', import.meta.url).href)});
  const imported = count();
  const compiled = compileSchema({ type: 'object', properties: { a: { type: 'integer' } } });
  const result = compiled.validate({ a: 'x' });
  const used = count();
  await compiled.ready();
  const all = count();
  const z = await import('zod');
  const before = count();
  const other = compileSchema(z.object({ a: z.int() }));
  await other.ready();
  const second = other.validate({ a: '1' });
  const ofZod = count().ajv - before.ajv;
  console.log(JSON.stringify({ imported, used, ready: all, ok: result.ok, second, ofZod }));
`;

describe('importing the package', () => {
  it('loads neither zod nor ajv nor a Node built-in, and ajv only when ready() of a JSON Schema is called', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    const { imported, used, ready, ok, second, ofZod } = JSON.parse(stdout);
    expect(imported.own).toBeGreaterThan(10);
    expect(imported).toMatchObject({ zod: 0, ajv: 0, builtins: 0 });
    expect(used).toMatchObject({ zod: 0, ajv: 0, builtins: 0 });
    expect(ok).toBe(false);
    expect(ready.zod).toBe(0);
    expect(ready.ajv).toBeGreaterThan(0);
    expect(second).toMatchObject({ ok: true, value: { a: 1 } });
    expect(ofZod).toBe(0);
  });
});
