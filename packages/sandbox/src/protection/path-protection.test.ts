import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConfinedDirectory, removeConfined, renameConfined } from '../files/confined-change.ts';
import { writeConfinedFile } from '../files/confined-write.ts';
import { compileProtection, protectDefaultPaths } from './path-protection.ts';

let root: string;
beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'haft-protect-')))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = async (path: string): Promise<string> => {
  const written = await writeConfinedFile([root], join(root, path), Buffer.from('x'));
  return written.ok ? 'written' : written.code;
};

describe('path protection', () => {
  it.each([
    '.git/hooks/pre-commit',
    '.git/config',
    '.git',
    'sub/module/.git/info/attributes',
    '.git/worktrees/a/config.worktree',
    '.git/modules/a/hooks/post-checkout',
    '.gitmodules',
    '.GIT/Hooks/pre-commit',
    '.g\u200Cit/config',
    '.\u017Fsh/id_rsa',
    '.vscode/tasks.json',
    '.VSCode/settings.json',
    'a/.idea/workspace.xml',
    '.husky/pre-commit',
    '.mcp.json',
    '.cursor/mcp.json',
    '.claude/settings.json',
    '.codex/config.toml',
    '.envrc',
    '.npmrc',
    '.env',
    '.env.local',
    'certs/server.pem',
    'project.code-workspace',
    '.haft/jobs/database/base/5/1259',

    '.windsurf/a',
    '.zed/a',
    '.continue/a',
    '.opencode/a',
    '.fleet/a',
    '.helix/a',
    '.roo/a',
    '.kiro/a',
    '.amazonq/a',
    '.yarnrc.yml',
    '.gdbinit',
    '.devcontainer.json',
    '.yarn/releases/yarn.cjs',
    '.Yarn/Plugins/a',
    '.pnpmfile.cjs',
    '.pre-commit-config.yaml',
    'lefthook.yml',
    '.lefthook-local.toml',
    '.exrc',
    '.dir-locals.el',
    'mise.toml',
    '.tool-versions',
    '.cargo/config.toml',
    '.bundle/config',
    '.aider.conf.yml',
    '.pdbrc',
    '.mvn/jvm.config',
    'a/b/.zed/tasks.json',
    'A.CODE-WORKSPACE',
    '.githooks/pre-commit',
    '.github/hooks/a.json',
    'opencode.json',
  ])('protects %s even if it does not exist', async (path) => {
    expect(await write(path)).toBe('PROTECTED_PATH');
    expect(existsSync(join(root, path.split('/')[0]!))).toBe(false);
  });

  it.each([
    'src/git/config',
    '.gitignore',
    '.github/dependabot.yml',
    'AGENTS.md',
    '.env.example',
    'keys.pub',
    'src/keychain.ts',
    'hooks/use-state.ts',
    'config',
    'config/info/a.ts',
    'git~1x',

    '.yarn/cache/a.zip',
    'zed/tasks.json',
    '.cargo/registry/a',
    '.github/workflows/a.yml',
    'mise.toml.md',
    'src/.vscoded',
  ])('does not protect %s', async (path) => {
    expect(await write(path)).toBe('written');
  });

  it('protects files of shells and logins only in the home directory', () => {
    expect(protectDefaultPaths(join(homedir(), '.bashrc'))).toBeDefined();
    expect(protectDefaultPaths(join(homedir(), '.ssh/authorized_keys'))).toBeDefined();
    expect(protectDefaultPaths(join(root, 'dotfiles/.bashrc'))).toBeUndefined();
  });

  it('protects git directories with other names', async () => {
    mkdirSync(join(root, 'store/objects'), { recursive: true });
    mkdirSync(join(root, 'trees/a'), { recursive: true });
    for (const file of ['store/HEAD', 'trees/a/HEAD', 'trees/a/commondir']) writeFileSync(join(root, file), '');
    for (const path of [
      'store/hooks/pre-commit',
      'store/config',
      'store/Info/attributes',
      'trees/a/config.worktree',
      'trees/a/gitdir',
    ])
      expect(await write(path)).toBe('PROTECTED_PATH');
    expect(await write('store/readme.md')).toBe('written');
  });

  it('protects the entry that would complete a git directory with trusted content', async () => {
    for (const [last, ...before] of [
      ['objects/pack/x', 'config', 'HEAD'],
      ['HEAD', 'hooks/pre-commit', 'objects/x'],
      ['commondir', 'HEAD'],
      ['HEAD', 'commondir'],
    ]) {
      const folder = `new-${last!.replaceAll('/', '-')}-${before.length}`;
      for (const chunk of before) expect([chunk, await write(`${folder}/${chunk}`)]).toEqual([chunk, 'written']);
      expect([last, await write(`${folder}/${last}`)]).toEqual([last, 'PROTECTED_PATH']);
    }
    for (const path of ['plain/HEAD', 'plain/objects/x', 'plain/refs/x'])
      expect([path, await write(path)]).toEqual([path, 'written']);
  });

  it('protects paths named in the settings of a repository, whether or not they exist', async () => {
    mkdirSync(join(root, '.git/objects'), { recursive: true });
    mkdirSync(join(root, 'lib/.git/objects'), { recursive: true });
    mkdirSync(join(root, 'linked'));
    symlinkSync('linked', join(root, 'by-link'));
    writeFileSync(join(root, 'watch.sh'), '');
    for (const folder of ['.git', 'lib/.git']) writeFileSync(join(root, folder, 'HEAD'), 'ref: refs/heads/main');
    const config = String.raw`
      [core "x"] hooksPath = "dev/git hooks" ; where they lie
        attributesFile=dev/attributes
      [CORE] FSMONITOR = ./watch.sh --quick
      [include]
        path = ../shared/one.ini
      [includeIf "gitdir:/nowhere/"] path = ../shared/two.ini
      [filter "f"] clean = "node "dev/clean.js" %f"
      [alias] go = !cd x && dev/go.sh
      [diff.d] textconv = by-link/show`;
    writeFileSync(join(root, '.git/config'), config);
    mkdirSync(join(root, 'shared'));
    writeFileSync(join(root, 'shared/one.ini'), '[include]\npath=three.ini\n[sequence]\neditor=dev/edit');
    writeFileSync(join(root, 'lib/.git/config'), '[core]\nhooksPath=made/hooks');
    for (const path of [
      'dev/git hooks/pre-commit',
      'dev/Git Hooks/new/deep',
      'dev/attributes',
      'watch.sh',
      'shared/one.ini',
      'shared/two.ini',
      'shared/three.ini',
      'dev/edit',
      'dev/clean.js',
      'dev/go.sh',
      'linked/show',
      'by-link/show',
      'lib/made/hooks/pre-commit',
      'lib/made/hooks',
    ])
      expect([path, await write(path)]).toEqual([path, 'PROTECTED_PATH']);
    for (const path of ['dev/other.js', 'shared/four.ini', 'made/hooks/a', 'linked/other', 'lib/a.txt'])
      expect([path, await write(path)]).toEqual([path, 'written']);
  });

  it('protects pending rebase steps in a git directory with another name', async () => {
    mkdirSync(join(root, 'real/objects'), { recursive: true });
    writeFileSync(join(root, 'real/HEAD'), '');
    for (const path of ['rebase-merge/git-rebase-todo', 'sequencer/todo', 'rebase-apply/0001', 'modules/a/config'])
      expect([path, await write(`real/${path}`)]).toEqual([path, 'PROTECTED_PATH']);
  });

  it('protects only files with hook names if the hooks directory is the work tree', async () => {
    mkdirSync(join(root, '.git/objects'), { recursive: true });
    writeFileSync(join(root, '.git/HEAD'), '');
    writeFileSync(join(root, '.git/config'), '[core]\nhooksPath=.');
    expect(await write('pre-commit')).toBe('PROTECTED_PATH');
    expect(await write('notes.txt')).toBe('written');
  });

  it('checks the target of a link', async () => {
    mkdirSync(join(root, '.git/hooks'), { recursive: true });
    symlinkSync('.git/hooks', join(root, 'innocent'));
    expect(await write('innocent/pre-commit')).toBe('PROTECTED_PATH');
  });

  it('refuses to create, remove, rename or overwrite protected paths', async () => {
    mkdirSync(join(root, '.git/hooks'), { recursive: true });
    writeFileSync(join(root, '.git/config'), 'kept');
    mkdirSync(join(root, 'evil/hooks'), { recursive: true });
    const at = (path: string): string => join(root, path);
    const answers = [
      await createConfinedDirectory([root], at('.vscode')),
      await removeConfined([root], at('.git/config')),
      await removeConfined([root], at('.git/hooks')),
      await renameConfined([root], at('.git'), at('old')),
      await renameConfined([root], at('evil'), at('.husky')),
      await renameConfined([root], at('evil'), at('.git/modules'), { overwrite: true }),
    ];
    expect(answers.map((answer) => (answer.ok ? 'done' : answer.code))).toEqual(answers.map(() => 'PROTECTED_PATH'));
    expect(readFileSync(at('.git/config'), 'utf8')).toBe('kept');
    expect(existsSync(at('evil/hooks'))).toBe(true);
  });

  it('uses the protection of the host, or none', async () => {
    const path = join(root, '.env');
    const bytes = Buffer.from('x');
    expect((await writeConfinedFile([root], path, bytes, { protection: 'off' })).ok).toBe(true);
    const composed = compileProtection(['**/caf\u00e9/**']);
    expect(composed('/a/cafe\u0301/b')).toBe('**/caf\u00e9/**');
    const protection = compileProtection(['**/*.lock', '!**/own.lock']);
    expect((await writeConfinedFile([root], path, bytes, { protection })).ok).toBe(true);
    expect(await writeConfinedFile([root], join(root, 'A.LOCK'), bytes, { protection })).toMatchObject({
      code: 'PROTECTED_PATH',
    });
    expect((await writeConfinedFile([root], join(root, 'own.lock'), bytes, { protection })).ok).toBe(true);
    expect((await removeConfined([root], path, { protection })).ok).toBe(true);
    expect(() => compileProtection(['{a'])).toThrow(TypeError);
  });

  it('does not show host paths to the model', async () => {
    const refused = await writeConfinedFile([root], join(root, '.git/config'), Buffer.from('x'));
    expect(refused.ok ? '' : refused.hint).not.toContain(root);
  });
});
