import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { copyBuiltPackage } from './copy-built-package.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly inlinedDependencies?: readonly string[];
}

const packages = fileURLToPath(new URL('../../../packages/', import.meta.url));
const names = readdirSync(packages).filter((name) => existsSync(join(packages, name, 'package.json')));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-imports-')));

beforeAll(async () => {
  const modules = join(folder, 'node_modules');
  for (const name of names) {
    const manifest = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as Manifest;
    const libraries = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    for (const library of [...libraries, ...(manifest.inlinedDependencies ?? [])]) link(library, name, modules);
    await copyBuiltPackage(join(packages, name), join(modules, '@haft', name));
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function link(library: string, owner: string, modules: string): void {
  const manifest = library.startsWith('@haft/')
    ? undefined
    : findPackageJSON(library, join(packages, owner, 'package.json'));
  if (manifest === undefined || existsSync(join(modules, library))) return;
  mkdirSync(dirname(join(modules, library)), { recursive: true });
  symlinkSync(dirname(manifest), join(modules, library));
}

interface Loaded {
  /** Files outside our packages. */
  readonly libraries: readonly string[];
  /** Names of the libraries that are part of the loaded files of our packages. */
  readonly inlined: readonly string[];
  readonly ownFiles: number;
  /** Modules of Node. */
  readonly builtins: readonly string[];
}

/** Runs a program in a fresh process, and resolves to everything that it has loaded. */
async function observe(program: string): Promise<Loaded> {
  const code = `
import { registerHooks } from 'node:module';
import { readFileSync } from 'node:fs';
const loaded = [];
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
${program}
const files = loaded.filter((url) => url.startsWith('file:'));
const own = files.filter((url) => url.includes('/node_modules/@haft/'));
console.log(JSON.stringify({
  libraries: files.filter((url) => !own.includes(url)),
  // The bundler writes the path of each module above its code.
  inlined: own.flatMap((url) => [...readFileSync(new URL(url), 'utf8').matchAll(/^\\/\\/ \\S*node_modules\\/((?:@[^/]+\\/)?[^/\\s]+)\\//gm)].map(([, name]) => name)),
  ownFiles: own.length,
  builtins: process.moduleLoadList.filter((name) => name.startsWith('NativeModule ')).map((name) => name.slice(13)),
}));`;
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: folder,
    env,
  });
  return JSON.parse(stdout) as Loaded;
}

const costly = ['_http_client', 'https', 'tls', 'zlib', 'crypto', 'internal/deps/undici/undici'];

describe('the import of a package', () => {
  it.each(names)('loads no library, no costly module of Node, and few files: @haft/%s', async (name) => {
    const { libraries, inlined, ownFiles, builtins } = await observe(`await import('@haft/${name}');`);
    expect([...libraries, ...inlined]).toEqual([]);
    expect(costly.filter((builtin) => builtins.includes(builtin))).toEqual([]);
    expect(ownFiles).toBeLessThanOrEqual(16);
  });

  it('loads libraries and costly modules only when they are needed', async () => {
    const { libraries, inlined, builtins } = await observe(`
const { createBuiltins } = await import('@haft/builtins');
createBuiltins();
await import('@haft/mcp').then(({ createMemoryTokenStore }) => createMemoryTokenStore());
await import('@opentelemetry/api');
await import('node:crypto').then(({ createHash }) => createHash('sha1'));`);
    expect(inlined).toEqual(expect.arrayContaining(['zod', '@modelcontextprotocol/client']));
    expect(libraries.some((url) => url.includes('/@opentelemetry/'))).toBe(true);
    expect(builtins).toContain('crypto');
  });
});
