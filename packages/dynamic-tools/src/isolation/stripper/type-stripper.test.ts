import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createModuleVersion } from '../../files/module-versions.ts';
import { createSourceReader } from '../../files/plugin-own-files.ts';
import { maxHostMessageBytes } from '../channel/messages.ts';
import { createTypeStripper } from './type-stripper.ts';

/** Creates a reader of sources by path. Other paths do not exist. */
const sources: Readonly<Record<string, string>> = {
  '/p/index.ts': `\uFEFFimport { a } from './a.ts';\nimport type { X } from '../x.mts';\nexport const n: number = a; const late = () => import("./late.ts");`,
  '/p/a.ts': `export { a } from './index.ts'; export const b: string = 'b';`,
  '/p/late.ts': `export default 1 as number;`,
  '/p/enum.ts': 'enum Colour { red }',
  '/p/half.ts': 'export default { name: ',
  '/p/long.ts': `export const text: string = '${'x'.repeat(300_000)}';`,
  '/p/plain.mjs': 'export default 1;',
  '/p/blank.ts': `/* from${' '.repeat(200_000)}nowhere */ export * from${' '.repeat(1_000)}'./late.ts';`,
  '/p/many.ts': Array.from({ length: 12 }, (_, at) => `import './huge-${at}.ts';`).join('\n'),
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`/p/huge-${at}.ts`, `/*${'\u0001'.repeat(250_000)}*/ export {};`]),
  ),
  '/p/deep.ts': `export const deep: unknown = ${'['.repeat(50_000)}${']'.repeat(50_000)};`,
};
/** Generous limits for a busy machine. */
const patience = { textMs: 30_000, loadMs: 30_000 };
const read = (file: string): Promise<string | undefined> => Promise.resolve(sources[file]);

describe('createTypeStripper', { timeout: 60_000 }, () => {
  const stripper = createTypeStripper(patience);
  const strip = (file: string): Promise<Readonly<Record<string, string>>> => stripper.strip(file, read);
  afterAll(() => stripper.close());

  it('strips a file and its relative imports, with every character at its position', async () => {
    const stripped = await strip('/p/index.ts');
    expect(Object.keys(stripped).toSorted()).toEqual(['/p/a.ts', '/p/index.ts', '/p/late.ts']);
    const code = stripped['/p/index.ts']!;
    expect(code).toContain('export const n         = a;');
    expect(code.split('\n').map((line) => line.length)).toEqual(
      sources['/p/index.ts']!.slice(1)
        .split('\n')
        .map((line) => line.length),
    );
  });

  it('strips pathological files in bounded time, up to the message limit', async () => {
    expect(Object.keys(await strip('/p/blank.ts')).toSorted()).toEqual(['/p/blank.ts', '/p/late.ts']);
    const many = await strip('/p/many.ts');
    expect(Object.keys(many).length).toBeGreaterThan(5);
    expect(Buffer.byteLength(JSON.stringify(many))).toBeLessThan(maxHostMessageBytes);
  });

  it("leaves JavaScript and unsupported syntax to the plugin's process", async () => {
    for (const file of ['enum.ts', 'half.ts', 'long.ts', 'plain.mjs', 'missing.ts'])
      expect(await strip(`/p/${file}`), file).toEqual({});
    expect(await stripper.strip('/p/a.ts', () => Promise.reject(new Error('no')))).toEqual({});
  });

  it('continues after a parser crash and does not parse that text again', async () => {
    const [deep, other] = await Promise.all([strip('/p/deep.ts'), strip('/p/late.ts')]);
    expect(deep).toEqual({});
    // Both files were requested together. A later request gets a new parser.
    expect([[], ['/p/late.ts']]).toContainEqual(Object.keys(other));
    expect(Object.keys(await strip('/p/late.ts'))).toEqual(['/p/late.ts']);
    const asked: string[] = [];
    await stripper.strip('/p/deep.ts', (file) => (asked.push(file), read(file)));
    expect(asked).toEqual([]);
  });

  it('does not read files that the jail hides from the plugin', async () => {
    const directory = await realpath(await mkdtemp(join(tmpdir(), 'haft-stripped-')));
    const [own, outside] = [join(directory, 'plugin'), join(directory, 'outside')] as const;
    await Promise.all([own, outside].map((folder) => mkdir(folder)));
    await writeFile(join(outside, 'secret.ts'), 'export const secret: string = "canary";');
    await symlink(join(outside, 'secret.ts'), join(own, 'file.ts'));
    await symlink(outside, join(own, 'folder'));
    const paths = ['./file.ts', './folder/secret.ts', '../outside/secret.ts'];
    await writeFile(join(own, 'index.ts'), paths.map((path) => `import '${path}';`).join('\n'));
    const stripped = await stripper.strip(join(own, 'index.ts'), createSourceReader([own]));
    expect(Object.keys(stripped)).toEqual([join(own, 'index.ts')]);
    expect(JSON.stringify(stripped)).not.toContain('canary');
    await rm(directory, { recursive: true });
  });

  it('strips nothing after it is closed', async () => {
    const closed = createTypeStripper(patience);
    const pending = closed.strip('/p/late.ts', read);
    closed.close();
    expect(await pending).toEqual({});
    expect(await closed.strip('/p/late.ts', read)).toEqual({});
  });
});

describe('stripped module', () => {
  it('is loaded from the stripped text at its own URL, unless it is CommonJS', async () => {
    const directory = await realpath(await mkdtemp(join(tmpdir(), 'haft-stripped-')));
    const [entry, part, common] = ['index.ts', 'part.ts', 'common.ts'].map((name) => join(directory, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(entry, `throw new Error('it was read again');`);
    await writeFile(part, `export const part: string = 'of the file';`);
    await writeFile(common, `module.exports = { common: 'of the file' as string };`);
    const version = createModuleVersion(entry, [], [], {
      [entry]: `export { part } from './part.ts'; export { default as common } from './common.ts'; export const { url } = import.meta;`,
      [part]: `export const part         = 'given';`,
      [common]: `module.exports = { common: 'given' };`,
    });
    const { part: given, common: read, url } = await version.import();
    expect([given, read]).toEqual(['given', { common: 'of the file' }]);
    expect(String(url)).toMatch(/index\.ts\?haft-plugin=\d+$/);
    expect([...version.files].toSorted()).toEqual([common, entry, part].toSorted());
    await rm(directory, { recursive: true });
  });
});
