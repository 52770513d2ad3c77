import { describe, expect, test } from 'vitest';
import { confine } from './paths/confine.ts';
import { findExecutable } from './processes/find-executable.ts';
import { compileGlob, compileWildcard } from './globs/glob.ts';
import { createJail } from './jail/create-jail.ts';
import { guardedFetch } from './network/guarded-fetch.ts';
import { createNetworkGuard } from './network/network-guard.ts';
import { openSpill, spillText } from './output/spill.ts';
import { decodeText, detectEncoding, encodeText } from './text/text-encoding.ts';
import { truncateOutput } from './output/truncate-output.ts';
import { readConfinedFile } from './files/confined-read.ts';
import { writeConfinedFile } from './files/confined-write.ts';
import { createProcessManager } from './processes/manager/process-manager.ts';
import { resolvePath } from './paths/resolve-path.ts';
import { runProcess } from './processes/run-process.ts';

describe('invalid arguments are reported with the expected and the given value', () => {
  test.each([
    [undefined, /^options: invalid \(expected an object such as .*, got undefined\)$/],
    [['ls'], /^options: invalid \(expected an object such as .*, got a list\)$/],
    [{ cwd: '/' }, /^command: invalid \(expected a string such as "ls", got undefined\)$/],
    [{ command: 'ls' }, /^cwd: invalid \(expected a string such as "\/project", got undefined\)$/],
    [{ command: 'ls', cwd: 42 }, /^cwd: invalid \(expected a string such as "\/project", got 42\)$/],
    [{ command: 'ls', cwd: '/', args: '-l' }, /^args: invalid \(expected a list of strings, got "-l"\)$/],
    [{ command: 'ls', cwd: '/', args: [1] }, /^args: invalid \(expected a list of strings, got a list\)$/],
    [{ command: 'ls', cwd: '/', stdin: {} }, /^stdin: invalid \(expected a string or bytes, got an object\)$/],
    [{ command: 'ls', cwd: '/', shell: 1 }, /^shell: invalid \(expected true, false or the name of a shell, got 1\)$/],
    [{ command: 'ls', cwd: '/', signal: {} }, /^signal: invalid \(expected an AbortSignal, got an object\)$/],
    [{ command: 'ls', cwd: '/', onOutput: true }, /^onOutput: invalid \(expected a function, got true\)$/],
    [{ command: 'ls', cwd: '/', timeoutMs: '5s' }, /^timeoutMs: invalid \(expected a number from 0, got "5s"\)$/],
    [{ command: 'ls', cwd: '/', timeoutMs: Number.NaN }, /^timeoutMs: invalid \(expected a number from 0, got NaN\)$/],
    [
      { command: 'ls', cwd: '/', streams: 'both' },
      /^streams: invalid \(expected one of 'combined', 'separate', got "both"\)$/,
    ],
    [{ command: 'ls', cwd: '/', jial: {} }, /^options: unknown option "jial" \(expected one of command, cwd, .*jail/],
    [
      { command: 'ls', cwd: '/', background: 'yes' },
      /^background: invalid \(expected one of 'kill', 'keep', got "yes"\)$/,
    ],
  ])('by runProcess(%j)', async (options, message) => {
    const error: unknown = await runProcess(options as never).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(message);
  });

  test.each([[42], [undefined], [null], [['/a']], [{ path: '/a' }], [Symbol('a')]])(
    'for a path that is %j',
    async (path) => {
      const wrong = path as unknown as string;
      const expected = /^path: invalid \(expected a string such as "[^"]+", got /;
      for (const use of [
        () => confine(['/'], wrong),
        () => readConfinedFile(['/'], wrong),
        () => writeConfinedFile(['/'], wrong, new Uint8Array()),
        async () => resolvePath({ cwd: '/', path: wrong }),
      ]) {
        const error: unknown = await use().catch((cause: unknown) => cause);
        expect(error).toBeInstanceOf(TypeError);
        expect((error as Error).message).toMatch(expected);
      }
      expect(() => resolvePath({ cwd: wrong, path: 'a' })).toThrow(
        /^cwd: invalid \(expected a string such as "\/project", got /,
      );
    },
  );

  test('for the options of a managed process, before it is started', async () => {
    const manager = createProcessManager();
    const started = manager.start({ command: 'ls' } as never);
    await expect(started).rejects.toThrow(/^cwd: invalid \(expected a string such as "\/project", got undefined\)$/);
    const limits = { processes: 0 };
    await expect(manager.start({ command: 'ls', cwd: '/', limits })).rejects.toThrow(TypeError);
    expect(manager.list()).toEqual([]);
  });

  test.each([
    ['/project', /^roots: invalid \(expected an array of absolute paths or 'unrestricted', got "\/project"\)$/],
    [undefined, /^roots: invalid \(expected an array of absolute paths or 'unrestricted', got undefined\)$/],
    [[7], /^roots: invalid \(expected a string such as "\/project", got 7\)$/],
    [['project'], /^roots: "project" is not an absolute path$/],
  ])('for roots that are %j', async (roots, message) => {
    await expect(confine(roots as never, '/a')).rejects.toThrow(message);
  });

  const jailed = { policy: 'off' } as const;
  const guard = createNetworkGuard();
  const wrong: readonly (readonly [what: string, use: () => unknown, message: string])[] = [
    [
      'createJail',
      () => createJail(undefined as never),
      "options: invalid (expected an object such as { policy: 'required', write: ['/project'] }, got undefined)",
    ],
    [
      'createJail',
      () => createJail({ ...jailed, writes: ['/project'] } as never),
      'options: unknown option "writes" (expected one of policy, read, write, hidden, network, limits, onWarning)',
    ],
    [
      'createNetworkGuard',
      async () => createNetworkGuard({ denied: ['a.example'] } as never),
      'options: unknown option "denied" (expected one of allow, deny, resolve)',
    ],
    [
      'writeConfinedFile',
      () => writeConfinedFile(['/'], '/haft-none/a', 'text' as never),
      'bytes: invalid (expected a Uint8Array such as Buffer.from(\'text\'), got "text")',
    ],
    [
      'writeConfinedFile',
      () => writeConfinedFile(['/'], '/haft-none/a', new Uint8Array(), { expectedHash: 'text' }),
      'expectedHash: invalid (expected a hash such as hashContent(bytes) returns, or null for a file that must not exist, got "text")',
    ],
    [
      'createJail',
      () => createJail({ policy: 'on' as never }),
      `policy: invalid (expected one of 'required', 'preferred', 'off', got "on")`,
    ],
    [
      'createJail',
      () => createJail({ ...jailed, write: '/project' as never }),
      'write: invalid (expected a list of strings, got "/project")',
    ],
    [
      'createJail',
      () => createJail({ ...jailed, network: ['a.example'] as never }),
      "network: invalid (expected true, false or hosts such as { hosts: ['example.com'] }, with loopback 'shared' or 'own', got a list)",
    ],
    ['createJail', () => createJail({ ...jailed, limits: 5 as never }), 'limits: invalid (expected an object, got 5)'],
    [
      'createJail',
      () => createJail({ ...jailed, onWarning: 'loud' as never }),
      'onWarning: invalid (expected a function, got "loud")',
    ],
    [
      'wrap',
      async () => {
        const jail = await createJail(jailed);
        if (jail.ok) jail.wrap({ file: '/bin/ls', args: '-l' as never });
      },
      'args: invalid (expected a list of strings, got "-l")',
    ],
    [
      'createNetworkGuard',
      () => createNetworkGuard({ allow: 'a.example' as never }),
      'allow: invalid (expected a list of strings, got "a.example")',
    ],
    [
      'createNetworkGuard',
      () => createNetworkGuard(null as never),
      "options: invalid (expected an object such as { allow: ['intranet.example'] }, got null)",
    ],
    [
      'createNetworkGuard',
      () => createNetworkGuard({ resolve: {} as never }),
      'resolve: invalid (expected a function, got an object)',
    ],
    ['guardedFetch', () => guardedFetch(7 as never, { guard }), 'URL: invalid (expected a string or a URL, got 7)'],
    [
      'guardedFetch',
      () => guardedFetch('https://a.example', undefined as never),
      'options: invalid (expected an object such as { guard: createNetworkGuard() }, got undefined)',
    ],
    [
      'guardedFetch',
      () => guardedFetch('https://a.example', {} as never),
      'guard: invalid (expected a guard such as createNetworkGuard() returns, got undefined)',
    ],
    [
      'guardedFetch',
      () => guardedFetch('https://a.example', { guard, method: 'get' as never }),
      `method: invalid (expected one of 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', got "get")`,
    ],
    [
      'guardedFetch',
      () => guardedFetch('https://a.example', { guard, body: {} as never }),
      'body: invalid (expected a string or bytes, got an object)',
    ],
    [
      'guardedFetch',
      () => guardedFetch('https://a.example', { guard, timeoutMs: '5s' as never }),
      'timeoutMs: invalid (expected a number from 0, got "5s")',
    ],
    [
      'openSpill',
      () => openSpill(undefined as never),
      'directory: invalid (expected a string such as "/var/tmp/spill", got undefined)',
    ],
    [
      'openSpill',
      () => openSpill('/x', { maxBytes: '1' as never }),
      'maxBytes: invalid (expected a number from 0, got "1")',
    ],
    [
      'runProcess with a jail that could not be had',
      () => runProcess({ command: 'ls', cwd: '/', jail: { ok: false, code: 'JAIL_UNAVAILABLE' } as never }),
      'jail: invalid (expected the jail of a successful createJail(), got an object)',
    ],
    [
      'runProcess with a jail that was not waited for',
      () => runProcess({ command: 'ls', cwd: '/', jail: createJail({ policy: 'off' }) as never }),
      'jail: invalid (expected the jail of a successful createJail(), got an object)',
    ],
    ['spillText', () => spillText('/x', 5 as never), 'text: invalid (expected a string, got 5)'],
    [
      'compileGlob',
      () => compileGlob(/a/ as never),
      'pattern: invalid (expected a string such as "**/*.ts", got an object)',
    ],
    ['compileGlob', () => compileGlob('*', { braces: 1 as never }), 'braces: invalid (expected true or false, got 1)'],
    [
      'compileWildcard',
      () => compileWildcard(undefined as never),
      'pattern: invalid (expected a string such as "v*.txt", got undefined)',
    ],
    [
      'truncateOutput',
      () => truncateOutput(Buffer.from('a') as never),
      'text: invalid (expected a string, got an object)',
    ],
    [
      'truncateOutput',
      () => truncateOutput('a', { keep: 'middle' as never }),
      `keep: invalid (expected one of 'head', 'tail', 'head-tail', got "middle")`,
    ],
    [
      'truncateOutput',
      () => truncateOutput('a', { maxBytes: Number.NaN }),
      'maxBytes: invalid (expected a number, got NaN)',
    ],
    ['decodeText', () => decodeText('a' as never), 'bytes: invalid (expected a Uint8Array, got "a")'],
    [
      'detectEncoding',
      () => detectEncoding(undefined as never),
      'bytes: invalid (expected a Uint8Array, got undefined)',
    ],
    ['encodeText', () => encodeText(new Uint8Array() as never), 'text: invalid (expected a string, got an object)'],
    [
      'encodeText',
      () => encodeText('a', { encoding: 'latin1' as never, bom: false }),
      `encoding: invalid (expected one of 'utf-8', 'utf-16le', 'utf-16be', 'windows-1252', got "latin1")`,
    ],
    [
      'findExecutable',
      () => findExecutable(['ls'] as never, {}, '/'),
      'command: invalid (expected a string such as "git", got a list)',
    ],
    [
      'findExecutable',
      () => findExecutable('ls', undefined as never, '/'),
      'environment: invalid (expected an object, got undefined)',
    ],
  ];
  test.each(wrong)('by %s (%#)', async (_what, use, message) => {
    const error: unknown = await (async () => use())().catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toBe(message);
  });
});
