import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { versionOf } from '@haft-tooling/peers/version-of';
import { atMost, countRow, type MeasuredRow } from '@haft-tooling/measure';

/** The code as bundled for a browser: tree-shaken and minified. */
interface Entry {
  readonly name: string;
  readonly text: string;
}

const own = (path: string): string => `export * from '@haft/repair${path}';`;

/** The import of a program that reads damaged JSON, for each library. */
const jsonPeers: readonly Entry[] = [
  { name: 'jsonrepair', text: `export { jsonrepair } from 'jsonrepair';` },
  { name: 'partial-json', text: `export { parse } from 'partial-json';` },
  { name: 'best-effort-json-parser', text: `export { parse } from 'best-effort-json-parser';` },
  { name: 'jsonic', text: `export { Jsonic } from 'jsonic';` },
  { name: 'dirty-json', text: `export { default } from 'dirty-json';` },
  { name: 'jaison', text: `export { default } from 'jaison';` },
  { name: 'json5', text: `export { parse } from 'json5';` },
  { name: 'ai', text: `export { parsePartialJson } from 'ai';` },
];
const callPeers: readonly Entry[] = [
  { name: '@ai-sdk-tool/parser', text: `export { hermesToolMiddleware } from '@ai-sdk-tool/parser';` },
];

/** The size that each entry adds to a program: kilobytes, minified and compressed. */
export async function measureSize(): Promise<readonly MeasuredRow[]> {
  const row = async (path: string, most: number, peers: readonly Entry[]): Promise<MeasuredRow> => {
    const haft = await sizeOf(own(path));
    const sizes: [string, number][] = [];
    for (const { name, text } of peers) sizes.push([`${name} ${versionOf(name)}`, await sizeOf(text)]);
    const what = `Size of ${path === '' ? 'the whole package' : `the entry ${path}`}, minified and compressed`;
    return countRow(what, 'kB', haft, Object.fromEntries(sizes), atMost(most, 'kB'));
  };
  return [await row('/json', 15, jsonPeers), await row('/calls', 40, callPeers), await row('', 40, [])];
}

const entry = '\0entry';

async function sizeOf(text: string): Promise<number> {
  const bundle = await rolldown({
    input: entry,
    cwd: new URL('../..', import.meta.url).pathname,
    resolve: { conditionNames: ['@haft/source', 'import'] },
    platform: 'browser',
    onLog: (level, log) => {
      // A missing export would cost nothing.
      if (/MISSING_EXPORT|UNRESOLVED|IMPORT_IS_UNDEFINED/.test(log.code ?? ''))
        throw new Error(`${level}: ${log.message}`);
    },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? text : undefined),
      },
    ],
  });
  try {
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    const code = output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
    return gzipSync(code, { level: 9 }).length / 1_000;
  } finally {
    await bundle.close();
  }
}
