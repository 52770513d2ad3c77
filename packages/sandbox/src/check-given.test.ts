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

describe('what a caller mistook is named, with what was expected and what was given', () => {
  test.each([
    [undefined, /^the options must be an object such as .*, not undefined$/],
    [['ls'], /^the options must be an object such as .*, not a list$/],
    [{ cwd: '/' }, /^command must be a string such as "ls", not undefined$/],
    [{ command: 'ls' }, /^cwd must be a string such as "\/project", not undefined$/],
    [{ command: 'ls', cwd: 42 }, /^cwd must be a string such as "\/project", not 42$/],
    [{ command: 'ls', cwd: '/', args: '-l' }, /^args must be a list of strings, not "-l"$/],
    [{ command: 'ls', cwd: '/', args: [1] }, /^args must be a list of strings, not a list$/],
    [{ command: 'ls', cwd: '/', stdin: {} }, /^stdin must be a string or bytes, not an object$/],
    [{ command: 'ls', cwd: '/', shell: 1 }, /^shell must be true, false or the name of a shell, not 1$/],
    [{ command: 'ls', cwd: '/', signal: {} }, /^signal must be an AbortSignal, not an object$/],
    [{ command: 'ls', cwd: '/', onOutput: true }, /^onOutput must be a function, not true$/],
    [{ command: 'ls', cwd: '/', timeoutMs: '5s' }, /^timeoutMs must be a number from 0, not "5s"$/],
    [{ command: 'ls', cwd: '/', timeoutMs: Number.NaN }, /^timeoutMs must be a number from 0, not NaN$/],
    [{ command: 'ls', cwd: '/', streams: 'both' }, /^streams must be one of 'combined', 'separate', not "both"$/],
    [{ command: 'ls', cwd: '/', jial: {} }, /^the options: there is no "jial"; there are command, cwd, .*jail/],
    [{ command: 'ls', cwd: '/', background: 'yes' }, /^background must be one of 'kill', 'keep', not "yes"$/],
  ])('runProcess(%j)', async (options, message) => {
    const error: unknown = await runProcess(options as never).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(message);
  });

  test.each([[42], [undefined], [null], [['/a']], [{ path: '/a' }], [Symbol('a')]])(
    'a path that is %j',
    async (path) => {
      const wrong = path as unknown as string;
      const expected = /^the path must be a string such as "[^"]+", not /;
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
      expect(() => resolvePath({ cwd: wrong, path: 'a' })).toThrow(/^cwd must be a string such as "\/project", not /);
    },
  );

  test('the options of a process of a manager, before it is started', async () => {
    const manager = createProcessManager();
    const started = manager.start({ command: 'ls' } as never);
    await expect(started).rejects.toThrow(/^cwd must be a string such as "\/project", not undefined$/);
    const limits = { processes: 0 };
    await expect(manager.start({ command: 'ls', cwd: '/', limits })).rejects.toThrow(TypeError);
    expect(manager.list()).toEqual([]);
  });

  test.each([
    ['/project', /^roots must be a list of absolute paths or 'unrestricted', not "\/project"$/],
    [undefined, /^roots must be a list of absolute paths or 'unrestricted', not undefined$/],
    [[7], /^each of the roots must be a string such as "\/project", not 7$/],
    [['project'], /^A root must be an absolute path, not "project"$/],
  ])('roots that are %j', async (roots, message) => {
    await expect(confine(roots as never, '/a')).rejects.toThrow(message);
  });

  const jailed = { policy: 'off' } as const;
  const guard = createNetworkGuard();
  const wrong: readonly (readonly [what: string, use: () => unknown, message: string])[] = [
    [
      'createJail',
      () => createJail(undefined as never),
      "the options must be an object such as { policy: 'required', write: ['/project'] }, not undefined",
    ],
    [
      'createJail',
      () => createJail({ ...jailed, writes: ['/project'] } as never),
      'the options: there is no "writes"; there are policy, read, write, hidden, network, limits, onWarning',
    ],
    [
      'createNetworkGuard',
      async () => createNetworkGuard({ denied: ['a.example'] } as never),
      'the options: there is no "denied"; there are allow, deny, resolve',
    ],
    [
      'writeConfinedFile',
      () => writeConfinedFile(['/'], '/haft-none/a', 'text' as never),
      'the bytes must be a Uint8Array such as Buffer.from(\'text\'), not "text"',
    ],
    [
      'writeConfinedFile',
      () => writeConfinedFile(['/'], '/haft-none/a', new Uint8Array(), { expectedHash: 'text' }),
      'expectedHash must be a hash such as hashContent(bytes) gives, or null for a file that must not exist, not "text"',
    ],
    [
      'createJail',
      () => createJail({ policy: 'on' as never }),
      `policy must be one of 'required', 'preferred', 'off', not "on"`,
    ],
    [
      'createJail',
      () => createJail({ ...jailed, write: '/project' as never }),
      'write must be a list of strings, not "/project"',
    ],
    [
      'createJail',
      () => createJail({ ...jailed, network: ['a.example'] as never }),
      "network must be true, false or hosts such as { hosts: ['example.com'] }, with loopback 'shared' or 'own', not a list",
    ],
    ['createJail', () => createJail({ ...jailed, limits: 5 as never }), 'limits must be an object, not 5'],
    [
      'createJail',
      () => createJail({ ...jailed, onWarning: 'loud' as never }),
      'onWarning must be a function, not "loud"',
    ],
    [
      'wrap',
      async () => {
        const jail = await createJail(jailed);
        if (jail.ok) jail.wrap({ file: '/bin/ls', args: '-l' as never });
      },
      'args must be a list of strings, not "-l"',
    ],
    [
      'createNetworkGuard',
      () => createNetworkGuard({ allow: 'a.example' as never }),
      'allow must be a list of strings, not "a.example"',
    ],
    [
      'createNetworkGuard',
      () => createNetworkGuard(null as never),
      "the options must be an object such as { allow: ['intranet.example'] }, not null",
    ],
    [
      'createNetworkGuard',
      () => createNetworkGuard({ resolve: {} as never }),
      'resolve must be a function, not an object',
    ],
    ['guardedFetch', () => guardedFetch(7 as never, { guard }), 'the URL must be a string or a URL, not 7'],
    [
      'guardedFetch',
      () => guardedFetch('https://a.example', undefined as never),
      'the options must be an object such as { guard: createNetworkGuard() }, not undefined',
    ],
    [
      'guardedFetch',
      () => guardedFetch('https://a.example', {} as never),
      'guard must be a guard such as createNetworkGuard() makes, not undefined',
    ],
    [
      'guardedFetch',
      () => guardedFetch('https://a.example', { guard, method: 'get' as never }),
      `method must be one of 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', not "get"`,
    ],
    [
      'guardedFetch',
      () => guardedFetch('https://a.example', { guard, body: {} as never }),
      'body must be a string or bytes, not an object',
    ],
    [
      'guardedFetch',
      () => guardedFetch('https://a.example', { guard, timeoutMs: '5s' as never }),
      'timeoutMs must be a number from 0, not "5s"',
    ],
    [
      'openSpill',
      () => openSpill(undefined as never),
      'the directory must be a string such as "/var/tmp/spill", not undefined',
    ],
    ['openSpill', () => openSpill('/x', { maxBytes: '1' as never }), 'maxBytes must be a number from 0, not "1"'],
    [
      'runProcess with a jail that could not be had',
      () => runProcess({ command: 'ls', cwd: '/', jail: { ok: false, code: 'JAIL_UNAVAILABLE' } as never }),
      'jail must be a jail such as createJail() resolves to, where that is ok, not an object',
    ],
    [
      'runProcess with a jail that was not waited for',
      () => runProcess({ command: 'ls', cwd: '/', jail: createJail({ policy: 'off' }) as never }),
      'jail must be a jail such as createJail() resolves to, where that is ok, not an object',
    ],
    ['spillText', () => spillText('/x', 5 as never), 'the text must be a string, not 5'],
    ['compileGlob', () => compileGlob(/a/ as never), 'the pattern must be a string such as "**/*.ts", not an object'],
    ['compileGlob', () => compileGlob('*', { braces: 1 as never }), 'braces must be true or false, not 1'],
    [
      'compileWildcard',
      () => compileWildcard(undefined as never),
      'the pattern must be a string such as "v*.txt", not undefined',
    ],
    ['truncateOutput', () => truncateOutput(Buffer.from('a') as never), 'the text must be a string, not an object'],
    [
      'truncateOutput',
      () => truncateOutput('a', { keep: 'middle' as never }),
      `keep must be one of 'head', 'tail', 'head-tail', not "middle"`,
    ],
    ['truncateOutput', () => truncateOutput('a', { maxBytes: Number.NaN }), 'maxBytes must be a number, not NaN'],
    ['decodeText', () => decodeText('a' as never), 'the bytes must be a Uint8Array, not "a"'],
    ['detectEncoding', () => detectEncoding(undefined as never), 'the bytes must be a Uint8Array, not undefined'],
    ['encodeText', () => encodeText(new Uint8Array() as never), 'the text must be a string, not an object'],
    [
      'encodeText',
      () => encodeText('a', { encoding: 'latin1' as never, bom: false }),
      `encoding must be one of 'utf-8', 'utf-16le', 'utf-16be', 'windows-1252', not "latin1"`,
    ],
    [
      'findExecutable',
      () => findExecutable(['ls'] as never, {}, '/'),
      'the command must be a string such as "git", not a list',
    ],
    [
      'findExecutable',
      () => findExecutable('ls', undefined as never, '/'),
      'the environment must be an object, not undefined',
    ],
  ];
  test.each(wrong)('%s, the wrong way (%#)', async (_what, use, message) => {
    const error: unknown = await (async () => use())().catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toBe(message);
  });
});
