import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createJail } from '@haft/sandbox';
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, createGround, type Ground, type GroundOptions } from './fixtures/create-ground.ts';

const isLong = process.env['HAFT_TEST_LONG'] === '1';
const secret = 'c3cret-of-the-outside';

let ground: Ground;
/** A root, and beside it what must be neither told nor changed. */
const start = (options: GroundOptions = {}): Ground => {
  ground = createGround({ files: { 'ok.txt': 'fine\n' }, ...options });
  writeFileSync(join(ground.outside, 'secret.txt'), secret);
  return ground;
};
afterEach(() => ground.remove());

/** Nothing outside was changed, and nothing of it told. */
const expectUntouched = (...said: readonly unknown[]): void => {
  expect(readdirSync(ground.outside)).toEqual(['secret.txt']);
  expect(JSON.stringify(said)).not.toContain(secret);
};

/** The numbers of the threats that `sandbox/src/vectors` tries one layer below: here they are tried by the tools themselves. */
describe('threats, by the tools', () => {
  it('vectors 1 to 11: no tool reads, lists, searches, writes, edits, patches or runs by a way that leads outside', async () => {
    start({
      links: { link: '../outside/secret.txt', dir: '../outside', dangling: '../outside/new.txt', loop: 'loop' },
    });
    const ways = [
      '../outside/secret.txt',
      join(ground.outside, 'secret.txt'),
      'link',
      'dir/secret.txt',
      'dangling',
      'loop',
      'dir/new/deep.txt',
    ];
    for (const path of ways) {
      const said = [
        await ground.call('read', { path }),
        await ground.call('ls', { path }),
        await ground.call('grep', { pattern: 'c3cret', path }),
        await ground.call('write', { path, content: 'written' }),
        await ground.call('append', { path, content: 'written' }),
        await ground.call('edit', { path, old_text: secret, new_text: 'written' }),
        await ground.call('apply_patch', { patch: `*** Begin Patch\n*** Add File: ${path}\n+written\n*** End Patch` }),
      ];
      expect([path, said.map(codeOf).filter((code) => code === 'ok')]).toEqual([path, []]);
      expectUntouched(said);
    }
  });

  it('vector 13: a file that another changes between reading and editing', async () => {
    start();
    await ground.call('read', { path: 'ok.txt' });
    ground.put('ok.txt', 'changed meanwhile\n');
    for (const [name, args] of [
      ['edit', { old_text: 'changed', new_text: 'mine' }],
      ['write', { content: 'mine' }],
    ] as const)
      expect(codeOf(await ground.call(name, { path: 'ok.txt', ...args }))).toBe('CHANGED_ON_DISK');
    expect(ground.text('ok.txt')).toBe('changed meanwhile\n');
  });

  it.skipIf(process.platform !== 'linux')(
    'vector 14: a file outside that has a second name inside is not written',
    async () => {
      start();
      linkSync(join(ground.outside, 'secret.txt'), join(ground.folder, 'hard'));
      expect(codeOf(await ground.call('write', { path: 'hard', content: 'x' }))).not.toBe('ok');
      expect(codeOf(await ground.call('edit', { path: 'hard', old_text: secret, new_text: 'x' }))).not.toBe('ok');
      expectUntouched();
    },
  );

  it('vectors 20, 21 and 35: what other programs run or trust is not made, in no spelling', async () => {
    start();
    const names = [
      '.git/hooks/pre-commit',
      '.GIT/Hooks/pre-commit',
      '.git\u200d/config',
      '.vscode/tasks.json',
      '.MCP.json',
      '.envrc',
      '.claude/settings.json',
    ];
    for (const path of names) {
      const said = [
        await ground.call('write', { path, content: 'evil' }),
        await ground.call('apply_patch', { patch: `*** Begin Patch\n*** Add File: ${path}\n+evil\n*** End Patch` }),
        await ground.call('apply_patch', {
          patch: `*** Begin Patch\n*** Update File: ok.txt\n*** Move to: ${path}\n@@\n-fine\n+evil\n*** End Patch`,
        }),
      ];
      expect([path, ...said.map(codeOf)]).toEqual([
        path,
        'PERMISSION_DENIED',
        'PERMISSION_DENIED',
        'PERMISSION_DENIED',
      ]);
    }
    expect(readdirSync(ground.folder)).toEqual(['ok.txt']);
    expect(ground.text('ok.txt')).toBe('fine\n');
  });

  it.skipIf(process.platform === 'win32')(
    'vectors 23, 29 and 30: names of Windows, and mentions, are names',
    async () => {
      start();
      for (const path of ['NUL', 'a::$DATA', 'trailing.', String.raw`C:\x`, String.raw`\\server\share`]) {
        expect([path, codeOf(await ground.call('write', { path, content: path }))]).toEqual([path, 'ok']);
        expect(ground.text(path)).toBe(path);
      }
      expect(await ground.say('read', { path: '@ok.txt' })).toContain('fine');
      expect(codeOf(await ground.call('read', { path: '@../outside/secret.txt' }))).not.toBe('ok');
    },
  );

  it('vector 33: neither glob nor grep follows a folder that is a link', async () => {
    start({ links: { dir: '../outside' } });
    const said = [
      await ground.call('glob', { pattern: '**/*.txt' }),
      await ground.call('glob', { pattern: '**/secret*', no_ignore: true }),
      await ground.call('grep', { pattern: 'c3cret', no_ignore: true }),
    ];
    expect(said[0]).toMatchObject({ structured: [expect.anything()], metadata: { total: 1 } });
    expectUntouched(said);
    expect(JSON.stringify(said)).not.toContain('dir/');
  });

  it('vector 34: a patch with a file that leads outside writes none of its files', async () => {
    start({ links: { dir: '../outside' } });
    for (const path of [
      '../outside/new.txt',
      join(ground.outside, 'new.txt'),
      'a/../../outside/new.txt',
      'dir/new.txt',
    ]) {
      const envelope = [
        '*** Begin Patch',
        '*** Update File: ok.txt',
        '@@',
        '-fine',
        '+evil',
        '*** Add File: good.txt',
        '+good',
        `*** Add File: ${path}`,
        '+evil',
        '*** End Patch',
      ];
      const unified = [
        '--- /dev/null',
        '+++ b/good.txt',
        '@@ -0,0 +1 @@',
        '+good',
        '--- /dev/null',
        `+++ ${path}`,
        '@@ -0,0 +1 @@',
        '+evil',
        '',
      ];
      for (const lines of [envelope, unified])
        expect([path, codeOf(await ground.call('apply_patch', { patch: lines.join('\n') }))]).not.toEqual([path, 'ok']);
      expect(readdirSync(ground.folder).toSorted()).toEqual(['dir', 'ok.txt']);
      expect(ground.text('ok.txt')).toBe('fine\n');
      expectUntouched();
    }
  });

  it('vector 38: windows of a file of 1 GB, at both ends, with little memory; what needs all of it is refused', async () => {
    start();
    const size = 2 ** 30;
    const text = Array.from({ length: 20_000 }, (_, index) => `line ${index} of a very large file\n`).join('');
    const descriptor = openSync(join(ground.folder, 'large.txt'), 'w');
    truncateSync(join(ground.folder, 'large.txt'), size);
    writeSync(descriptor, text, 0);
    writeSync(descriptor, text, size - text.length);
    closeSync(descriptor);
    const before = process.memoryUsage.rss();
    const head = await ground.say('read', { path: 'large.txt', limit: 20 });
    expect(head).toMatch(/^1→line 0 of [\s\S]*\n20→line 19 of/);
    expect(head).toContain('offset=21');
    // To number its last lines all of them are counted.
    if (isLong)
      expect(await ground.say('read', { path: 'large.txt', offset: -2 })).toContain('line 19999 of a very large file');
    expect(await ground.say('grep', { pattern: 'line 5 of' })).toMatch(/large\.txt/);
    for (const [name, args] of [
      ['edit', { old_text: 'line 5 of', new_text: 'x' }],
      ['append', { content: 'x' }],
    ] as const)
      expect(codeOf(await ground.call(name, { path: 'large.txt', ...args }))).toBe('FILE_TOO_LARGE');
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 2 ** 20);
  });

  it.skipIf(process.platform === 'win32')(
    'vector 41: what the system lets nobody read or change is refused for that reason, and the rest is found',
    async () => {
      start({ files: { 'ok.txt': 'fine\n', 'closed.txt': 'fine too\n', 'folder/deep.txt': 'fine\n' } });
      chmodSync(join(ground.folder, 'closed.txt'), 0o000);
      chmodSync(join(ground.folder, 'folder'), 0o000);
      const said = await asNobody(async () => [
        await ground.call('read', { path: 'closed.txt' }),
        await ground.call('edit', { path: 'closed.txt', old_text: 'fine', new_text: 'x' }),
        await ground.call('ls', { path: 'folder' }),
        await ground.call('write', { path: 'folder/new.txt', content: 'x' }),
        await ground.call('grep', { pattern: 'fine' }),
      ]);
      chmodSync(join(ground.folder, 'folder'), 0o755);
      expect(said.slice(0, 4).map((result) => (result.ok ? 'ok' : result.error.details?.['sandboxCode']))).toEqual(
        Array.from({ length: 4 }, () => 'ACCESS_DENIED'),
      );
      expect(JSON.stringify(said.slice(0, 4))).toContain('the system does not permit it');
      expect(said[4]).toMatchObject({ ok: true, structured: [{ path: 'ok.txt', line: 1 }] });
      expect(JSON.stringify(said[4]!.advisories)).toContain('closed.txt');
    },
  );

  it('vector 43: a line without end is shown in part', async () => {
    start({ files: { 'ok.txt': 'fine\n', 'line.txt': 'x'.repeat(3_000_000) } });
    const said = await ground.say('read', { path: 'line.txt' });
    expect(said.length).toBeLessThan(120_000);
    expect(said).toContain('line cut');
  });

  it('vectors 39 and 40: a file that grows and shrinks between two windows', async () => {
    start();
    expect(await ground.say('read', { path: 'ok.txt' })).toContain('fine');
    appendFileSync(join(ground.folder, 'ok.txt'), 'more\n'.repeat(10));
    expect(await ground.say('read', { path: 'ok.txt', offset: 5, limit: 1 })).toContain('more');
    truncateSync(join(ground.folder, 'ok.txt'), 0);
    expect(codeOf(await ground.call('read', { path: 'ok.txt', offset: 5 }))).not.toBe('EXECUTION_ERROR');
  });

  it('vector 42: a folder with very many entries is listed in part, and that is said', async () => {
    start();
    mkdirSync(join(ground.folder, 'many'));
    for (let index = 0; index < 3_000; index += 1) writeFileSync(join(ground.folder, 'many', `f${index}`), '');
    const said = await ground.say('ls', { path: 'many' });
    expect(said.length).toBeLessThan(60_000);
    expect(said).toMatch(/more|3,?000/);
  });
});

const jail = await createJail({ policy: 'required' });
if (!jail.ok && process.env['HAFT_JAIL'] === 'required') throw new Error(jail.message);
if (!jail.ok) process.stderr.write(`vectors.test.ts: commands are not tried in a jail here: ${jail.message}\n`);

const hasJail = jail.ok;
describe.skipIf(!hasJail)('threats, by commands of bash in the jail', () => {
  const run = (command: string): Promise<string> => ground.say('bash', { command });

  it('vectors 1 to 18, 22 and 24: no command reads or changes anything outside by any of the ways', async () => {
    start({
      jail: { policy: 'required' },
      links: {
        link: '../outside/secret.txt',
        dir: '../outside',
        dangling: '../outside/new.txt',
        loop: 'loop',
        up: '/proc/self/root',
        'one/two': '../../outside',
      },
    });
    const ways = [
      '../outside/secret.txt',
      join(ground.outside, 'secret.txt'),
      'link',
      'dir/secret.txt',
      'dir/folder/new.txt',
      'dangling',
      'loop',
      'one/two/three/new.txt',
      `up${ground.outside}/secret.txt`,
      `/proc/1/root${ground.outside}/secret.txt`,
      `/proc/${process.pid}/root${ground.outside}/secret.txt`,
      `/proc/${process.pid}/cwd/package.json`,
      `/proc/${process.pid}/environ`,
      '/etc/shadow',
      '/dev/mem',
      '／etc／shadow',
    ];
    ground.put('ways', `${ways.join('\n')}\n`);
    const said = await run(
      'while read -r way; do head -c 100 -- "$way" && echo "read $way"; ln -L "$way" made && echo "linked $way"; done < ways 2>/dev/null; ' +
        // What it makes there is in a place of its own that nobody sees.
        'while read -r way; do mkdir -p "${way%/*}"; echo evil >> "$way"; mv "$way" moved; rm -rf "$way"; done < ways 2>/dev/null; echo over',
    );
    expect(said).toBe('over\n');
    expectUntouched(said);
    expect(readFileSync(join(ground.outside, 'secret.txt'), 'utf8')).toBe(secret);
  });

  it('vectors 33, 36, 37, 41 and 44: neither searches, pipes, devices, closed files nor modes lead further', async () => {
    start({
      jail: { policy: 'required' },
      files: { 'ok.txt': 'fine\n', closed: 'closed\n' },
      links: { dir: '../outside' },
    });
    chmodSync(join(ground.folder, 'closed'), 0o000);
    const said = await run(
      [
        'grep -rs c3cret . ; find -L . -name "secret*"',
        'cat closed 2>&1 | grep -o "Permission denied"',
        'mkfifo pipe && timeout 0.2 cat pipe; echo "pipe $?"',
        'for device in /dev/sda /dev/mem /dev/kmsg /dev/kvm /dev/fuse; do [ -e $device ] && echo "there is $device"; done',
        'mknod disk b 8 0 2>&1 | grep -o "not permitted"',
        'cp /bin/cat own && chmod 4755 own; chown 0:0 own 2>/dev/null; grep -E "^(NoNewPrivs|CapEff)" /proc/self/status | tr "\\t" " "',
      ].join('\n'),
    );
    expect(said).toBe('Permission denied\npipe 124\nnot permitted\nCapEff: 0000000000000000\nNoNewPrivs: 1\n');
  });

  it('vectors 45 to 47: what a command leaves behind ends with it', async () => {
    start({ jail: { policy: 'required' } });
    const began = performance.now();
    const said = await run(
      'setsid sh -c "trap : TERM; sleep 63; echo late > late" & (nohup sleep 64 &) 2>/dev/null; echo done',
    );
    expect(said).toMatch(/^done\n/);
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(ground.has('late')).toBe(false);
  });

  it('vectors 56 and 57: it has no secret of this process, and none of its tricks', async () => {
    start({ jail: { policy: 'required' } });
    const hostile = { HAFT_TEST_API_KEY: secret, LD_PRELOAD: '/x.so', BASH_ENV: '/x', NODE_OPTIONS: '--require=/x' };
    Object.assign(process.env, hostile);
    const said = await run('env; cat /proc/*/environ /proc/1/cmdline 2>/dev/null | tr "\\0" "\\n"; echo over').finally(
      () => {
        for (const name of Object.keys(hostile)) delete process.env[name];
      },
    );
    expect(said).toMatch(/over\n$/);
    expect(said).not.toMatch(/c3cret|x\.so|BASH_ENV|--require/);
  });
});

/** As a user whom permissions bind: the superuser steps down to nobody, who is given the ground first. */
async function asNobody<Value>(act: () => Promise<Value>): Promise<Value> {
  if (process.getuid?.() !== 0) return act();
  const nobody = 65_534;
  for (const path of [
    dirname(ground.folder),
    ground.folder,
    ...readdirSync(ground.folder).map((name) => join(ground.folder, name)),
  ])
    chownSync(path, nobody, nobody);
  process.seteuid?.(nobody);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}
