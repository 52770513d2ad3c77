import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Attack } from '../../attack.ts';
import { openTools, put } from './ground.ts';

const paths: readonly string[] = [
  '.windsurf/mcp.json',
  '.zed/tasks.json',
  '.continue/config.yaml',
  '.opencode/opencode.json',
  '.fleet/run.json',
  '.yarnrc.yml',
  '.gdbinit',
  'app.code-workspace',
  '.devcontainer.json',
  '.devcontainer/devcontainer.json',
  '.helix/languages.toml',
  '.yarn/releases/yarn-4.cjs',
  '.yarn/plugins/a.cjs',
  '.idea/runConfigurations/a.xml',
  '.vscode/tasks.json',
  '.cursor/mcp.json',
  '.claude/settings.json',
  '.mcp.json',
  '.npmrc',
  '.envrc',
  '.codex/a',
  '.husky/pre-commit',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.lldbinit',
  '.exrc',
  '.nvimrc',
  '.nvim.lua',
  '.dir-locals.el',
  'mise.toml',
  '.mise.toml',
  '.tool-versions',
  '.pnpmfile.cjs',
  '.cargo/config.toml',
  '.pdbrc',
  '.bundle/config',
  '.aider.conf.yml',
  '.gemini/settings.json',
  '.roo/mcp.json',
  '.kiro/settings/mcp.json',
  '.amazonq/mcp.json',
  '.ZED/tasks.json',
  'packages/app/.vscode/tasks.json',
  'packages/app/.npmrc',
  '.Yarnrc.yml',
];

const list = paths.map((path) => `'${path}'`).join(' ');

/** Changes settings that other programs run, whether or not they exist. */
export const settings: readonly Attack[] = [
  {
    name: 'A jailed command changes existing settings of editors, agents and package managers',
    needs: ['jail', 'bash'],
    async control({ directory }) {
      put(join(directory, '.zed/tasks.json'), 'kept');
      put(join(directory, '.zed/tasks.json'), 'evil');
      return readFileSync(join(directory, '.zed/tasks.json'), 'utf8') === 'evil';
    },
    async run({ directory }) {
      for (const path of paths) put(join(directory, path), 'kept');
      await openTools(directory).jailed(
        `for f in ${list}; do echo evil > "$f" || rm -rf "$f" || mv "$f" x || ln -sf /dev/null "$f"; mv "\${f%%/*}" y; done; true`,
      );
      const changed = paths.filter((path) => {
        try {
          return readFileSync(join(directory, path), 'utf8') !== 'kept';
        } catch {
          return true;
        }
      });
      // A folder that contains packages may move with its content, but nothing may take its place.
      const breaches = changed.filter((path) => !path.startsWith('packages/'));
      return breaches.length === 0 ? undefined : `changed ${breaches.join(', ')}`;
    },
  },
  {
    name: 'A tool creates missing settings of editors, agents and package managers',
    async run({ directory }) {
      const { call } = openTools(directory);
      const made: string[] = [];
      for (const path of paths) if ((await call('write', { path, content: 'evil' })).ok) made.push(path);
      return made.length === 0 ? undefined : `made ${made.join(', ')}`;
    },
  },
  {
    name: 'One write with 1,900 new folders blocks the program',
    isLong: true,
    timeoutMs: 120_000,
    needs: ['linux'],
    async run({ directory }) {
      const before = process.cpuUsage();
      const { call } = openTools(directory);
      await call('write', { path: `${'a/'.repeat(1_900)}f`, content: 'x' });
      await call('ls', { path: 'a/'.repeat(1_900) });
      await call('glob', { pattern: '**/f' });
      const { user, system } = process.cpuUsage(before);
      const { execFileSync } = await import('node:child_process');
      execFileSync('rm', ['-rf', join(directory, 'a')]);
      const ms = (user + system) / 1_000;
      return ms < 8_000 ? undefined : `took ${ms.toFixed(0)} ms of the processor`;
    },
  },
];
