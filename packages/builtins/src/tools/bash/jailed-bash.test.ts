import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { silentLogger } from '@haft/core';
import { createJail } from '@haft/sandbox';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { codeOf, createGround, type Ground, type GroundOptions } from '../../fixtures/create-ground.ts';

const jail = await createJail({ policy: 'required' });
const hasJail = jail.ok;
if (!jail.ok && process.env['HAFT_JAIL'] === 'required') throw new Error(jail.message);
if (!jail.ok) process.stderr.write(`jailed-bash.test.ts: the jail is not tested here: ${jail.message}\n`);

let ground: Ground;
const start = (options: GroundOptions = {}): Ground =>
  (ground = createGround({ jail: { policy: 'required' }, ...options }));
afterEach(() => {
  vi.unstubAllEnvs();
  ground.remove();
});
const run = (command: string): Promise<string> => ground.say('bash', { command });

describe.skipIf(!hasJail)('bash in a jail', () => {
  it('runs in the workspace and returns both output streams in order', async () => {
    start({ files: { 'a.txt': 'one\n' } });
    expect(await run('cat a.txt; echo two >&2; echo three > b.txt; pwd')).toBe(`one\ntwo\n${ground.folder}\n`);
    expect(ground.text('b.txt')).toBe('three\n');
    expect(await ground.call('bash', { command: 'true' })).toMatchObject({ metadata: { jail: 'bubblewrap' } });
  });

  it('sees only the workspace and explains this if a command fails', async () => {
    start();
    writeFileSync(join(ground.outside, 's.txt'), 'secret');
    const result = await ground.call('bash', { command: 'cat ../outside/s.txt; ls -A ~ /tmp/haft-none; exit 3' });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(result).toMatchObject({
      error: { code: 'EXIT_CODE', details: { exitCode: 3 }, hint: expect.stringContaining('in a jail') },
    });
  });

  it.each([
    `curl: (7) Failed to connect to 192.0.2.1 port 80: Couldn't connect to server`,
    'Could not connect to server',
    'wget: unable to connect',
  ])('explains after a failed connection how to allow the network: %s', async (said) => {
    start();
    expect(await ground.call('bash', { command: `echo "${said}" >&2; exit 7` })).toMatchObject({
      error: { hint: expect.stringContaining('no network (only the program can allow it, with jail.network)') },
    });
  });

  it('gives no hint about the jail if a command fails for another reason, such as a failing test', async () => {
    start();
    const failing = `echo 'not ok 1 - adds two numbers'; echo 'AssertionError: 3 !== 4'; exit 1`;
    const result = await ground.call('bash', { command: failing });
    expect(result).toMatchObject({ ok: false, error: { code: 'EXIT_CODE' } });
    expect(JSON.stringify(result)).not.toContain('in a jail');
  });

  it('cannot change existing hooks or settings but can commit', async () => {
    start({ files: { '.vscode/tasks.json': '{}', 'a.txt': 'a' } });
    for (const line of ['init -q', 'config user.email a@example.com', 'config user.name a'])
      execFileSync('git', line.split(' '), { cwd: ground.folder });
    const said = await run(
      'for file in .git/hooks/pre-commit .git/config .vscode/tasks.json; do (echo evil >> $file) 2>/dev/null && echo wrote $file; done; git add -A && git commit -qm one && git log --format=%s',
    );
    expect(said).toBe('one\n');
    // The command cannot replace them either.
    expect(
      await run(
        'for name in .git .git/hooks .git/info .vscode; do mv $name other 2>/dev/null && echo moved $name; done; git log --format=%s',
      ),
    ).toBe('one\n');
  });

  it('cannot change hooks or settings of a git directory in the workspace that a .git file references', async () => {
    start({ files: { 'a.txt': 'a' } });
    for (const line of ['init -q --separate-git-dir=real', 'config user.email a@example.com', 'config user.name a'])
      execFileSync('git', line.split(' '), { cwd: ground.folder });
    expect(
      await run(
        'for file in .git real/hooks/pre-commit real/config; do (echo evil >> $file) 2>/dev/null && echo wrote $file; done; mv real other 2>/dev/null && echo moved; git add a.txt && git commit -qm one && git log --format=%s',
      ),
    ).toBe('one\n');
  });

  it('cannot change hooks or settings of submodules and worktrees or redirect git to its own', async () => {
    start({
      files: {
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/modules/lib/deep/HEAD': 'ref: refs/heads/main\n',
        '.git/modules/lib/deep/config': '[core]\n',
        '.git/worktrees/tree/HEAD': 'ref: refs/heads/main\n',
        '.git/worktrees/tree/commondir': '../..\n',
      },
    });
    const said = await run(
      'for file in .git/modules/lib/deep/config .git/worktrees/tree/commondir; do (echo evil > $file || rm -f $file) 2>/dev/null && echo wrote $file; ' +
        'mv ${file%/*} other 2>/dev/null && echo moved; done; mv .git/modules other 2>/dev/null && echo moved; echo main > .git/worktrees/tree/HEAD; echo over',
    );
    expect(said).toBe('over\n');
    ground.remove();
    // The paths of hooks and settings that git would read but that do not exist yet.
    start({ files: { '.git/HEAD': 'ref: refs/heads/main\n' } });
    const making =
      'cd .git; for name in hooks/a commondir config.worktree/a; do mkdir ${name%/*} 2>/dev/null; (echo evil > $name) 2>/dev/null && echo wrote $name; done; echo over';
    expect(await Promise.all([run(making), run('sleep 0.2; cat .git/commondir')])).toEqual(['over\n', '.\n']);
    expect([ground.has('.git/commondir'), ground.has('.git/config.worktree')]).toEqual([false, false]);
    ground.remove();
    start({ files: { '.git': 'gitdir: elsewhere\n' } });
    expect(await run('(echo evil > .git || rm -f .git || mv .git other) 2>/dev/null || cat .git')).toBe(
      'gitdir: elsewhere\n',
    );
  });

  it('cannot change paths that the git settings reference, existing or missing', async () => {
    start({
      files: { 'hooks/pre-commit': 'kept', 'shared.ini': '[core]\n', 'tools/watch.sh': 'kept', 'sub/a.txt': 'a' },
    });
    const git = (line: string, folder = ground.folder): unknown =>
      execFileSync('git', line.split(' '), { cwd: folder });
    git('init -q');
    git('config core.hooksPath hooks');
    git('config include.path ../shared.ini');
    git('config --add include.path ../not/there.ini');
    git('config core.fsmonitor tools/watch.sh');
    git('init -q sub');
    git('config core.hooksPath ../made/hooks', join(ground.folder, 'sub'));
    const targets = 'hooks/pre-commit hooks/new shared.ini not/there.ini tools/watch.sh made/hooks/pre-commit';
    const said = await run(
      `for file in ${targets}; do mkdir -p \${file%/*} 2>/dev/null; (echo evil > $file || rm $file) 2>/dev/null && echo wrote $file; ` +
        'mv ${file%/*} other 2>/dev/null && echo moved $file; done; git status >/dev/null 2>&1; echo over',
    );
    expect(said).toBe('over\n');
    expect([ground.has('made'), ground.has('not'), ground.text('hooks/pre-commit')]).toEqual([false, false, 'kept']);
  });

  it('cannot add a merge strategy file that runs when a rebase or cherry-pick continues', async () => {
    start({ files: { '.git/HEAD': 'ref: refs/heads/main\n' } });
    const said = await run(
      "cd .git; mkdir rebase-merge sequencer; echo x/evil > rebase-merge/strategy; printf '[options]\\nstrategy = x/evil\\n' > sequencer/opts; cat rebase-merge/strategy",
    );
    expect(said).toBe('x/evil\n');
    expect([ground.has('.git/rebase-merge/strategy'), ground.has('.git/sequencer/opts')]).toEqual([false, false]);
    await run("cd .git; echo ours > rebase-merge/strategy; printf '[options]\\nstrategy = ours\\n' > sequencer/opts");
    expect([ground.has('.git/rebase-merge/strategy'), ground.has('.git/sequencer/opts')]).toEqual([true, true]);
  });

  it('cannot change hooks or settings of a workspace that is a bare repository', async () => {
    start({ files: { HEAD: 'ref: refs/heads/main\n', 'objects/a': '', config: '[core]\n\tbare = true\n' } });
    expect(await run('(echo evil > hooks/update; echo evil > config; mv hooks other) 2>/dev/null; echo over')).toBe(
      'over\n',
    );
    expect([ground.has('hooks/update'), ground.text('config')]).toEqual([false, '[core]\n\tbare = true\n']);
  });

  it('cannot add commands to a rebase, which keeps only the commands of the user', async () => {
    const todo = '.git/rebase-merge/git-rebase-todo';
    start({ files: { '.git/HEAD': 'ref: refs/heads/main\n', [todo]: 'exec make test\npick 1 one\n' } });
    await run(`printf 'x touch evil\\nexec make test\\n  exec a\\n\\tx\\tb\\r\\npick 1 one\\n# note\\n' > ${todo}`);
    expect(ground.text(todo)).toBe('# x touch evil\nexec make test\n#   exec a\n# \tx\tb\r\npick 1 one\n# note\n');
    await run(
      `rm -r .git/rebase-merge; mkdir planted; echo 'exec evil' > planted/git-rebase-todo; ln -s ../planted .git/rebase-merge`,
    );
    expect(ground.has('.git/rebase-merge')).toBe(false);
    await run('mkdir .git/rebase-merge; ln -s ../../planted/git-rebase-todo .git/rebase-merge/');
    expect(ground.has(todo)).toBe(false);
  });

  const existing = [
    '.windsurf/mcp.json',
    '.zed/tasks.json',
    '.continue/config.json',
    '.opencode/opencode.json',
    '.fleet/run.json',
    '.yarnrc.yml',
    '.gdbinit',
    'a.code-workspace',
    '.devcontainer.json',
    '.devcontainer/devcontainer.json',
    '.helix/config.toml',
    '.yarn/releases/yarn.cjs',
    '.yarn/plugins/a.cjs',
    '.idea/workspace.xml',
    '.mcp.json',
    '.vscode/tasks.json',
    '.cursor/mcp.json',
    '.claude/settings.json',
    '.npmrc',
    '.envrc',
    '.husky/pre-commit',
    '.pre-commit-config.yaml',
    'lefthook.yml',
    '.lldbinit',
    '.exrc',
    '.nvimrc',
    '.dir-locals.el',
    'mise.toml',
    '.mise.toml',
    '.tool-versions',
    '.pnpmfile.cjs',
    '.cargo/config.toml',
    '.bundle/config',
    '.aider.conf.yml',
    '.gemini/settings.json',
    '.codex/config.toml',
    '.roo/mcp.json',
    '.kiro/hooks/a',
    '.amazonq/mcp.json',
    '.ZED/a',
    'packages/app/.vscode/tasks.json',
    'packages/app/.npmrc',
    'deep/down/there/.windsurf/mcp.json',
    '.pdbrc',
  ];
  it('cannot change existing settings of editors, agents and other programs anywhere in the workspace', async () => {
    start({ files: Object.fromEntries(existing.map((path) => [path, 'kept'])) });
    ground.put('list.txt', existing.join('\n'));
    const said = await run(
      'while read -r file; do (echo evil > $file || rm -f $file || mv $file other) 2>/dev/null && echo changed $file; done < list.txt; echo a > packages/app/new.txt && mv packages/app/new.txt other && echo over',
    );
    expect(said).toBe('over\n');
    expect(existing.filter((path) => ground.text(path) !== 'kept')).toEqual([]);
  });

  it('mounts no path that appears while another command runs, because that command could replace it with a link', async () => {
    start();
    const name = join(ground.folder, '.vscode/settings.json');
    const { metadata } = await ground.call('bash', {
      command: 'mkdir .vscode; echo {} > .vscode/settings.json; sleep 60',
      background: true,
    });
    while (!ground.has('.vscode/settings.json')) await setImmediate();
    const look = `grep -c ${name.slice(0, -14)} /proc/self/mountinfo; true`;
    expect(await run(look)).toBe('0\n');
    await ground.call('stop_process', { id: metadata['processId'], signal: 'KILL' });
    expect(await run(look)).toBe('1\n');
  });

  it('does not follow links with the names of settings files', async () => {
    start({ links: { '.vscode': '../outside', '.husky': '.', '.mcp.json': '/etc/passwd', '.idea': '/nowhere' } });
    writeFileSync(join(ground.outside, 's.txt'), 'secret');
    expect(await run('cat .vscode/s.txt .mcp.json 2>/dev/null; echo a > a.txt; cat a.txt')).toBe('a\n');
  });

  it('reaches the network only if the workspace allows it', async () => {
    const server = createServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { readonly port: number };
    const command = `(exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3) 2>/dev/null || echo refused`;
    start();
    expect(await run(command)).toBe('refused\n');
    ground.remove();
    start({ jail: { policy: 'required', network: true } });
    expect(await run(command)).toBe('hello');
    server.close();
  });

  it('reaches only listed hosts and names them if a command fails', async () => {
    start({ jail: { policy: 'required', network: { hosts: ['127.0.0.1:1', 'a.example'] } } });
    const line = `printf 'CONNECT %s HTTP/1.1\r\n\r\n' >&3 && head -n 1 <&3`;
    const ask = (target: string): Promise<string> =>
      run(`exec 3<>/dev/tcp/127.0.0.1/3128; ${line.replace('%s', target)}`);
    // Both are refused: the first is not on the list, the second is on this machine.
    expect(await ask('b.example:443')).toMatch(/ 403 /);
    expect(await ask('127.0.0.1:1')).toMatch(/ 403 /);
    expect(await ground.call('bash', { command: 'echo Network is unreachable; exit 3' })).toMatchObject({
      error: { hint: expect.stringContaining('only 127.0.0.1:1, a.example') },
    });
  });

  it('applies the limits of the workspace and reports which limit was reached', async () => {
    start({ jail: { policy: 'required', limits: { fileBytes: 1_048_576 } } });
    expect(await run('head -c 2000000 /dev/zero > a 2>/dev/null; wc -c < a')).toContain('1048576\n');
  });

  it('ends with all child processes at its deadline and keeps the output', async () => {
    start();
    expect(
      await ground.call('bash', { command: 'setsid sleep 60 & echo started; sleep 60', timeout_ms: 4_000 }),
    ).toMatchObject({ error: { code: 'TIMEOUT' }, content: [{ text: 'started\n' }], advisories: [] });
  });
});

describe('bash on a machine without a jail', () => {
  it('runs no command if a jail is required', async () => {
    start();
    vi.stubEnv('PATH', '');
    const result = await ground.call('bash', { command: 'echo ran > ran.txt' });
    expect(result).toMatchObject({ ok: false, error: { code: 'SPAWN_FAILED', fault: 'host' } });
    expect(ground.has('ran.txt')).toBe(false);
  });

  it('runs the command if a jail is preferred, and warns once', async () => {
    const warnings: string[] = [];
    start({ jail: { policy: 'preferred' }, logger: { ...silentLogger, warn: (line) => warnings.push(line) } });
    vi.stubEnv('PATH', '');
    expect(codeOf(await ground.call('bash', { command: 'exit 0' }))).toBe('ok');
    expect(await ground.call('bash', { command: 'exit 0' })).toMatchObject({ metadata: { jail: 'none' } });
    expect(warnings).toEqual([expect.stringContaining('WITHOUT A JAIL')]);
  });
});
