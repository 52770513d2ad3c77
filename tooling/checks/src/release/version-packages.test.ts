import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { runCommand } from '../packed/run-command.ts';
import { readAllPackages, readReleasedPackages, repositoryRoot } from '../workspace.ts';
import type { Manifest } from '../workspace.ts';
import { unreleased } from './changesets.ts';
import { readChangesets } from './read-changesets.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'haft-release-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const published = readReleasedPackages();
const firstSentences = new Map(readChangesets().map(({ name, text }) => [name, text.split('\n')[0] ?? '']));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifestOf = (folder: string): Manifest => JSON.parse(read(`${folder}/package.json`)) as Manifest;

/** The manifests, the changesets, and the programs that `npm run version-packages` starts. */
function copyRepository(): void {
  const copied = [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    '.oxfmtrc.json',
    '.changeset',
    'tooling/bootstrap',
    'tooling/release',
  ];
  const manifests = readAllPackages().flatMap(({ folder }) => [`${folder}/package.json`, `${folder}/CHANGELOG.md`]);
  for (const path of [...copied, ...manifests].filter((one) => existsSync(join(repositoryRoot, one)))) {
    cpSync(join(repositoryRoot, path), join(root, path), { recursive: true });
  }
  mkdirSync(join(root, 'node_modules'));
  for (const name of ['node', '@changesets'])
    symlinkSync(join(repositoryRoot, 'node_modules', name), join(root, 'node_modules', name));
  writeFileSync(
    join(root, 'node_modules/.haft-installed'),
    createHash('sha256').update(read('pnpm-lock.yaml')).digest('hex'),
  );
}

/** A folder of fake package managers that leave a mark when they are started, and fail. */
function forbidPackageManagers(): string {
  const folder = join(root, 'forbidden');
  mkdirSync(folder);
  for (const name of ['pnpm', 'npx', 'corepack', 'yarn']) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho ${name} >> "${join(folder, 'started')}"\nexit 1\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

describe('npm run version-packages', { timeout: 60_000 }, async () => {
  copyRepository();
  const forbidden = forbidPackageManagers();
  // After a release, there may be no changeset. The test then uses a change of one package as the next release.
  if (firstSentences.size === 0)
    writeFileSync(join(root, '.changeset/store.md'), `---\n'@haft/store': minor\n---\n\nChanges.\n`);
  const before = published[0]?.manifest.version;
  await runCommand('npm', ['run', '--silent', 'version-packages'], {
    cwd: root,
    environment: { PATH: [forbidden, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter) },
    timeoutMs: 60_000,
  });

  it('gives all packages the same version, and 0.1.0 to the first release', () => {
    const versions = new Set(published.map(({ folder }) => manifestOf(folder).version));
    expect([...versions]).toEqual([before === unreleased ? '0.1.0' : expect.not.stringMatching(`^${before}$`)]);
  });

  it('starts no package manager except npm', () => {
    expect(existsSync(join(forbidden, 'started'))).toBe(false);
  });

  it('keeps workspace ranges in dependents, which become ^ of that version when packed', () => {
    for (const { folder } of published) {
      const { dependencies = {}, peerDependencies = {} } = manifestOf(folder);
      const own = Object.entries({ ...dependencies, ...peerDependencies }).filter(([name]) =>
        name.startsWith('@haft/'),
      );
      for (const [name, range] of own) expect([folder, name, range]).toEqual([folder, name, 'workspace:^']);
    }
  });

  it('does not change the version of private packages', () => {
    for (const { folder, manifest } of readAllPackages().filter((one) => one.manifest.private === true)) {
      expect([folder, manifestOf(folder).version]).toEqual([folder, manifest.version]);
    }
  });

  it('consumes the changesets', () => {
    for (const name of firstSentences.keys()) expect(existsSync(join(root, `.changeset/${name}.md`))).toBe(false);
  });

  it.each(published.map(({ folder, manifest }) => [manifest.name, folder] as const))(
    'opens the CHANGELOG of %s with a description of the package',
    (name, folder) => {
      const opening = read(`${folder}/CHANGELOG.md`).replaceAll(/[^]*(?=^## 0\.1\.0$)/gm, '');
      expect(read(`${folder}/CHANGELOG.md`)).toMatch(`# ${name}\n\n## `);
      expect(opening).toMatch(/^## 0\.1\.0\n\n### Minor Changes\n\n- [A-Z][^\n]{40}/);
      expect(opening).toContain(firstSentences.get(basename(folder)) ?? '');
      expect(opening).not.toContain('Updated dependencies');
    },
  );
});
