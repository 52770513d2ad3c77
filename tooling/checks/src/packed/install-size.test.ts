import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { measureInstallation } from './install-size.ts';

let modules: string;
beforeEach(() => {
  modules = mkdtempSync(join(tmpdir(), 'haft-install-size-'));
});
afterEach(() => rmSync(modules, { recursive: true, force: true }));

function install(name: string, manifest: object, bytes: number): void {
  mkdirSync(join(modules, name, 'dist'), { recursive: true });
  const text = JSON.stringify(manifest);
  writeFileSync(join(modules, name, 'package.json'), text);
  writeFileSync(join(modules, name, 'dist', 'index.js'), 'x'.repeat(bytes - text.length));
}

it('counts a package and each of its dependencies once, and no optional peer', () => {
  install('@scope/one', { dependencies: { two: '1', three: '1' } }, 1_000);
  install('two', { dependencies: { three: '1' }, peerDependencies: { peer: '1' } }, 200);
  install('three', { peerDependencies: { large: '1' }, peerDependenciesMeta: { large: { optional: true } } }, 300);
  install('peer', {}, 40);
  install('large', {}, 9_000);
  expect(measureInstallation(modules, '@scope/one')).toBe(1_540);
});

it('rejects an installation that lacks a dependency', () => {
  install('one', { dependencies: { two: '1' } }, 100);
  expect(() => measureInstallation(modules, 'one')).toThrow('one needs two');
});
