import { createJail } from '@haft/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkbench, type Workbench } from '../fixtures/workbench.ts';

const jail = await createJail({ policy: 'required' });
const hasJail = jail.ok;
if (!jail.ok && process.env['HAFT_JAIL'] === 'required') throw new Error(jail.message);
if (!jail.ok) process.stderr.write(`jailed-tool.test.ts: the jail is not tested here: ${jail.message}\n`);

/** Attempts of a body to bypass the list of modules, and their expected outcomes. */
const attempts: Readonly<Record<string, string>> = {
  'reads a file': `return process.getBuiltinModule('node:fs').readFileSync('/etc/passwd', 'utf8');`,
  'reads the files of the program': `return process.getBuiltinModule('node:fs').readdirSync(${JSON.stringify(process.cwd())});`,
  'writes a file': `process.getBuiltinModule('node:fs').writeFileSync('/tmp/haft-escaped', 'x');`,
  'starts a program': `return process.getBuiltinModule('node:child_process').execSync('id').toString();`,
  'starts a thread': `new (process.getBuiltinModule('node:worker_threads').Worker)('1', { eval: true });`,
  'calls out': `return (await fetch('http://1.1.1.1/')).status;`,
  'reads the environment': `if (process.env['HOME'] === undefined && process.env['PATH'] === undefined) throw new Error('nothing there');`,
  'changes its own source': `process.getBuiltinModule('node:fs').appendFileSync('index.mts', '//');`,
};

describe.skipIf(!hasJail)('generated tool in a jail', { timeout: 120_000 }, () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench({ jail: 'required' });
    await workbench.generated.start();
  });
  afterAll(() => workbench.end());

  it.each(Object.entries(attempts))('fails its trial when it %s', async (_, body) => {
    const args = { name: 'escape', description: 'Tries to get out.', body, tests: [{ arguments: {} }] };
    const result = await workbench.call('new_tool', args);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ARGS', details: { faults: [{ path: '$.tests[0]' }] } },
    });
    expect(workbench.registry.has('escape')).toBe(false);
  });

  it('counts as pure after its first use and needs no further permission', async () => {
    const args = {
      name: 'double',
      description: 'Doubles.',
      fields: [{ name: 'n', type: 'number' }],
      body: 'return args.n * 2;',
    };
    expect((await workbench.call('new_tool', args)).ok).toBe(true);
    expect(workbench.registry.get('double')?.traits.pure).toBe(false);
    const changed = new Promise<void>((resolve) => void workbench.registry.onChange(() => resolve()));
    expect(await workbench.text('double', { n: 2 })).toBe('4');
    await changed;
    expect(workbench.registry.get('double')?.traits).toMatchObject({ pure: true, readOnly: true });
    expect(await workbench.text('double', { n: 3 })).toBe('6');
  });

  it('fails only its own trial when it never ends or exhausts the memory', async () => {
    for (const body of [
      'for (;;);',
      'const all: unknown[] = [];\nfor (;;) all.push(new Array(100_000).fill(all.length));',
    ]) {
      const args = { name: 'endless', description: 'Never ends.', body, tests: [{ arguments: {} }] };
      const impatient = await openWorkbench({ jail: 'required', unresponsiveMs: 2_000, maxMemoryMegabytes: 128 });
      await impatient.generated.start();
      expect((await impatient.call('new_tool', args)).ok).toBe(false);
      expect(impatient.registry.has('endless')).toBe(false);
      await impatient.end();
    }
  });
});
