import {
  appendFileSync,
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { allowAll, createDispatcher, createWorkspace, renderForModel, type ToolResult } from '@haft/core';
import { createJail } from '@haft/sandbox';
import { afterEach, describe, expect, it } from 'vitest';
import { createBuiltins } from './create/create-builtins.ts';
import { asNobody } from './fixtures/as-nobody.ts';
import { codeOf, createGround, type Ground, type GroundOptions } from './fixtures/create-ground.ts';

const isLong = process.env['HAFT_TEST_LONG'] === '1';
const secret = 'c3cret-of-the-outside';

let ground: Ground;
/** Creates a root, and files beside it that must be neither shown nor changed. */
const start = (options: GroundOptions = {}): Ground => {
  ground = createGround({ files: { 'ok.txt': 'fine\n' }, ...options });
  writeFileSync(join(ground.outside, 'secret.txt'), secret);
  return ground;
};
afterEach(() => ground.remove());

/** Asserts that no file outside the root was changed or shown. */
const expectUntouched = (...said: readonly unknown[]): void => {
  expect(readdirSync(ground.outside)).toEqual(['secret.txt']);
  expect(JSON.stringify(said)).not.toContain(secret);
};

/** The numbers of the threats in `sandbox/src/vectors`, which are tested here through the tools. */
describe('threats to the tools', () => {
  it('vectors 1 to 11: no tool reads, lists, searches, writes, edits, patches or runs anything outside the roots', async () => {
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

  it('vector 13: an edit fails if another program changed the file after it was read', async () => {
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
    'vector 14: a file with a second name inside the roots is not written',
    async () => {
      start();
      linkSync(join(ground.outside, 'secret.txt'), join(ground.folder, 'hard'));
      expect(codeOf(await ground.call('write', { path: 'hard', content: 'x' }))).not.toBe('ok');
      expect(codeOf(await ground.call('edit', { path: 'hard', old_text: secret, new_text: 'x' }))).not.toBe('ok');
      expectUntouched();
    },
  );

  it('vectors 20, 21 and 35: files that other programs run or trust are not created, in any spelling', async () => {
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
    'vectors 23, 29 and 30: Windows device names and mentions are ordinary names',
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

  it('vector 34: a patch with a path outside the roots writes none of its files', async () => {
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

  it('vector 38: both ends of a file of 1 GB are read with little memory, and tools that need the whole file reject it', async () => {
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
    // The tool has to count all lines, to number the last ones.
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
    'vector 41: files without read permission are rejected with this reason, and all others are found',
    async () => {
      start({ files: { 'ok.txt': 'fine\n', 'closed.txt': 'fine too\n', 'folder/deep.txt': 'fine\n' } });
      chmodSync(join(ground.folder, 'closed.txt'), 0o000);
      chmodSync(join(ground.folder, 'folder'), 0o000);
      const said = await asNobody(ground, async () => [
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

  it('vector 43: a part of an endless line is shown', async () => {
    start({ files: { 'ok.txt': 'fine\n', 'line.txt': 'x'.repeat(3_000_000) } });
    const said = await ground.say('read', { path: 'line.txt' });
    expect(said.length).toBeLessThan(120_000);
    expect(said).toContain('line cut');
  });

  it('vectors 39 and 40: a file may grow or shrink between two reads', async () => {
    start();
    expect(await ground.say('read', { path: 'ok.txt' })).toContain('fine');
    appendFileSync(join(ground.folder, 'ok.txt'), 'more\n'.repeat(10));
    expect(await ground.say('read', { path: 'ok.txt', offset: 5, limit: 1 })).toContain('more');
    truncateSync(join(ground.folder, 'ok.txt'), 0);
    expect(codeOf(await ground.call('read', { path: 'ok.txt', offset: 5 }))).not.toBe('EXECUTION_ERROR');
  });

  it.skipIf(process.platform !== 'linux')('vector 19: a mount inside a root belongs to the root', async () => {
    start();
    const mounted = mkdtempSync('/dev/shm/haft-vector-');
    writeFileSync(join(mounted, 'a.txt'), 'mounted\n');
    const workspace = createWorkspace({ cwd: '/dev', permission: allowAll });
    const tools = createDispatcher({ registry: createBuiltins({ include: ['read'] }), workspace });
    const said = await tools.dispatch({ id: '1', name: 'read', arguments: { path: join(mounted, 'a.txt') } });
    rmSync(mounted, { recursive: true });
    expect(renderForModel(said)).toBe('1→mounted');
  });

  it.skipIf(process.platform === 'win32')(
    'vectors 25 to 28, 31 and 32: unusual names are handled exactly, and special files are never opened',
    async () => {
      start({ files: { 'ok.txt': 'fine\n', 'a\nb\u001b[31m.txt': 'odd\n', '%2e%2e': 'literal\n' } });
      for (const [name, args] of [
        ['ls', {}],
        ['glob', { pattern: '*' }],
        ['grep', { pattern: 'odd' }],
      ] as const)
        expect([name, /\u001b|a\nb/.test(await ground.say(name, args))]).toEqual([name, false]);
      expect(await ground.say('read', { path: 'a\nb\u001b[31m.txt' })).toContain('odd');
      expect(await ground.say('read', { path: '%2e%2e' })).toContain('literal');
      expect(await ground.say('read', { path: pathToFileURL(join(ground.folder, 'ok.txt')).href })).toContain('fine');
      const refused: Readonly<Record<string, string>> = {
        ['x'.repeat(300)]: 'INVALID_ARGS',
        ['x/'.repeat(3_000)]: 'INVALID_ARGS',
        [pathToFileURL(join(ground.outside, 'secret.txt')).href]: 'OUTSIDE_READ_ROOTS',
        '%2e%2e/outside/secret.txt': 'NOT_DIRECTORY',
        '~/haft-no-such-file': 'OUTSIDE_READ_ROOTS',
        '~nobody/x': 'NOT_FOUND',
        '$HOME/x': 'NOT_FOUND',
        '': 'INVALID_ARGS',
        '.': 'IS_DIRECTORY',
        [ground.folder]: 'IS_DIRECTORY',
        'ok.txt/': 'NOT_DIRECTORY',
      };
      for (const [path, code] of Object.entries(refused))
        expect([path, codeOf(await ground.call('read', { path }))]).toEqual([path, code]);
      expectUntouched();
    },
  );

  it('vector 42: a part of a very large folder is listed, and the result says so', async () => {
    start();
    mkdirSync(join(ground.folder, 'many'));
    const entries = isLong ? 10_050 : 3_000;
    for (let index = 0; index < entries; index += 1) writeFileSync(join(ground.folder, 'many', `f${index}`), '');
    const said = await ground.say('ls', { path: 'many' });
    expect(said.length).toBeLessThan(60_000);
    expect(said).toMatch(/\d more entries; use glob/);
    expect(said.includes('more entries than can be listed')).toBe(isLong);
  });
});

const jail = await createJail({ policy: 'required' });
if (!jail.ok && process.env['HAFT_JAIL'] === 'required') throw new Error(jail.message);
if (!jail.ok) process.stderr.write(`vectors.test.ts: commands are not tried in a jail here: ${jail.message}\n`);

const hasJail = jail.ok;
describe.each(hasJail ? (['off', 'required'] as const) : (['off'] as const))('threats to bash, jail %s', (policy) => {
  const flood = isLong ? 1e9 : 1e7;

  it.each([
    [51, 'lines', `yes | head -c ${flood}`],
    [52, 'no line break', `head -c ${flood} /dev/zero | tr '\\0' x`],
  ])('vector %i: a flood of %s is limited', { timeout: 120_000 }, async (_number, _what, command) => {
    start({ jail: { policy } });
    const before = process.memoryUsage.rss();
    const result = await ground.call('bash', { command });
    expect(result).toMatchObject({ ok: true, metadata: { totalBytes: flood, truncated: true } });
    expect(renderForModel(result).length).toBeLessThan(53_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 2 ** 20);
  });

  it('vectors 53, 54, 55 and 58: escape sequences, missing input, missing terminals and exit codes are handled', async () => {
    start({ jail: { policy } });
    const run = (command: string): Promise<ToolResult> => ground.call('bash', { command });
    expect(
      await run(
        String.raw`printf 'a\000b\377\033[31mred\033[0m\303\251\n'; cat; read a; echo "[$a$GIT_TERMINAL_PROMPT]"; (: < /dev/tty) 2>/dev/null || echo none`,
      ),
    ).toMatchObject({ ok: true, content: [{ text: 'a␀b\uFFFDredé\n[0]\nnone\n' }] });
    for (const exitCode of [137, 255])
      expect(await run(`exit ${exitCode}`)).toMatchObject({ error: { code: 'EXIT_CODE', details: { exitCode } } });
    expect(await run('kill -KILL $$')).toMatchObject({ error: { details: { exitCode: 137 } } });
  });
});

describe.skipIf(!hasJail)('threats by commands in the jail', () => {
  const run = (command: string): Promise<string> => ground.say('bash', { command });

  it('vectors 1 to 18, 22 and 24: no command reads or changes anything outside the roots', async () => {
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
        // The command writes into a private folder that is not visible outside.
        'while read -r way; do mkdir -p "${way%/*}"; echo evil >> "$way"; mv "$way" moved; rm -rf "$way"; done < ways 2>/dev/null; echo over',
    );
    expect(said).toBe('over\n');
    expectUntouched(said);
    expect(readFileSync(join(ground.outside, 'secret.txt'), 'utf8')).toBe(secret);
  });

  it('vectors 33, 36, 37, 41 and 44: searches, pipes, devices, unreadable files and modes do not lead outside', async () => {
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

  it('vectors 45 to 47: everything that a command starts ends with it', async () => {
    start({ jail: { policy: 'required' } });
    const began = performance.now();
    const said = await run(
      'setsid sh -c "trap : TERM; sleep 63; echo late > late" & (nohup sleep 64 &) 2>/dev/null; echo done',
    );
    expect(said).toMatch(/^done\n/);
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(ground.has('late')).toBe(false);
  });

  it('vectors 48 to 50: a command that uses processes, memory and disk space endlessly is stopped at the limits', async () => {
    const mebi = 2 ** 20;
    const limits = { processes: 40, memoryBytes: 256 * mebi, fileBytes: 2 * mebi, temporaryBytes: 2 * mebi };
    start({ jail: { policy: 'required', limits } });
    const asked = await createJail({ policy: 'required', limits });
    const gaps = asked.ok ? asked.gaps.join('; ') : asked.message;
    if (gaps !== '') process.stderr.write(`vectors.test.ts: 48 to 50, as far as the machine limits them: ${gaps}\n`);
    // Each test slightly exceeds one limit and must fail.
    const proof = await run(
      '(head -c 3000000 /dev/zero > file; head -c 3000000 /dev/zero > /tmp/file) 2>/dev/null; wc -c < file; wc -c < /tmp/file',
    );
    expect(proof).toBe(`${2 * mebi}\n${2 * mebi}\n`);
    expect(await run('(yes > all; yes > /tmp/all; yes > /dev/shm/all) 2>/dev/null; echo over')).toMatch(/over\n/);
    if (/memory/.test(gaps)) return;
    const hold = (megabytes: number): string => `head -c ${megabytes}000000 /dev/zero | tail | wc -c`;
    expect(await run(hold(40))).toBe('40000000\n');
    expect(await ground.call('bash', { command: `set -o pipefail; ${hold(600)}` })).toMatchObject({ ok: false });
    if (/processes/.test(gaps)) return;
    const many = await run("sh -c 'for i in $(seq 60); do sleep 1 & done; echo end' 2>&1");
    expect(many).toMatch(/fork/i);
    const bomb = "sh -c 'bomb() { bomb | bomb & }; bomb; sleep 0.3; echo over'";
    const bombed = await ground.call('bash', { command: bomb, timeout_ms: 1_500 });
    expect(bombed).toMatchObject({ advisories: [] });
    expect(await run('echo alive')).toBe('alive\n');
  });

  it('vectors 56 and 57: a command gets no secret of this process, whatever it tries', async () => {
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

it('the 64 threats each have a test with their number', () => {
  const files = ['vectors.test.ts', 'tools/fetch/fetch-tool.test.ts'].map((name) =>
    readFileSync(new URL(name, import.meta.url), 'utf8'),
  );
  const names = files.flatMap((text) =>
    [...text.matchAll(/['`]vectors? ([\d, toand%i]+):/g)].map((found) => found[1]!),
  );
  const rows = files.flatMap((text) => [...text.matchAll(/^ {4}\[(\d+), '/gm)].map((found) => found[1]!));
  const tried = new Set(
    [...names, ...rows].flatMap((name) =>
      [...name.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, from, to = from]) =>
        Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index),
      ),
    ),
  );
  expect([...tried].toSorted((one, other) => one - other)).toEqual(Array.from({ length: 64 }, (_, index) => index + 1));
});
