import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasJail } from '../../fixtures/has-jail.ts';
import { runProcess } from '../../processes/run-process.ts';
import { createJail, type JailOptions } from '../create-jail.ts';
import type { Jail, JailAccess } from './jail.ts';

const isJailAvailable = await hasJail('jail.test.ts');

let base: string;
let inside: string;
let secret: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'haft-jail-')));
  inside = join(base, 'inside');
  secret = join(base, 'secret.txt');
  mkdirSync(inside);
  writeFileSync(secret, 'secret');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

async function open(options: Partial<JailOptions> = {}): Promise<Jail> {
  const jail = await createJail({ policy: 'required', write: [inside], ...options });
  if (!jail.ok) throw new Error(jail.message);
  return jail;
}

/** Returns the output and exit code of a shell in the jail. */
async function runInJail(line: string, options: Partial<JailOptions> = {}, more?: JailAccess): Promise<string> {
  const jail = await open(options);
  const { file, args } = jail.wrap({ file: '/bin/sh', args: ['-c', line], cwd: inside }, more);
  const result = await runProcess({ command: file, args, cwd: inside, timeoutMs: 20_000 });
  return `${result.output.text}[${result.exitCode}]`;
}

describe.skipIf(!isJailAvailable)('a jailed command', () => {
  it('works in its directory and sees nothing else', async () => {
    expect(await runInJail('echo hello > a; cat a; pwd')).toBe(`hello\n${inside}\n[0]`);
    expect(readFileSync(join(inside, 'a'), 'utf8')).toBe('hello\n');
    expect(await runInJail(`cat ${secret}; ls ..; ls /home /root /etc/passwd 2>&1 | grep -c 'No such'`)).toBe(
      `cat: ${secret}: No such file or directory\ninside\n3\n[0]`,
    );
  });

  it.each(['/proc/self/root', '/proc/1/root', '/proc/1/cwd/..'])('cannot escape through %s', async (route) => {
    expect(await runInJail(`cat ${route}${secret} || cat ${route}/secret.txt`)).toContain('[1]');
  });

  it('cannot read or change hidden paths', async () => {
    mkdirSync(join(inside, 'keys'));
    writeFileSync(join(inside, 'keys/id'), 'secret');
    writeFileSync(join(inside, '.env'), 'secret');
    const hidden = [join(inside, '.env'), join(inside, 'keys'), join(inside, 'missing')];
    const output = await runInJail(
      'cat .env; ls -A keys; echo x > .env; echo x > keys/id; mv .env a; mv keys b; echo end',
      {},
      { hidden },
    );
    expect(output).not.toContain('secret');
    expect(output).toMatch(/end\n\[0\]$/);
    expect([readFileSync(join(inside, '.env'), 'utf8'), readFileSync(join(inside, 'keys/id'), 'utf8')]).toEqual([
      'secret',
      'secret',
    ]);
  });

  it('cannot escape through existing links and cannot create hard links to outside', async () => {
    symlinkSync(secret, join(inside, 'link'));
    symlinkSync('..', join(inside, 'up'));
    linkSync(secret, join(base, 'other'));
    expect(await runInJail('cat link; cat up/secret.txt; ln /usr/bin/env here; echo end')).toMatch(
      /No such file.*\n.*No such file.*\n.*ln: .*\nend\n\[0\]$/,
    );
  });

  it('cannot see the targets of links that another command created in its view', async () => {
    symlinkSync('..', join(inside, 'build'));
    symlinkSync('..', join(inside, 'up'));
    const line = 'cat ../secret.txt; (echo changed > ../secret.txt) 2>/dev/null; ls ..';
    const view = { write: [inside, join(inside, 'build/')], read: [join(inside, 'up')] };
    expect(await runInJail(line, view)).toMatch(/No such file or directory\ninside\n(?:secret.txt\n)?\[0\]$/);
    expect(readFileSync(secret, 'utf8')).toBe('secret');
  });

  it('cannot write anywhere else, including readable paths and the root of its mounts', async () => {
    const shown = join(base, 'shown');
    mkdirSync(shown);
    expect(
      await runInJail(
        `for at in /usr ${shown} / /dev /proc/sys/kernel; do (: > $at/x) 2>/dev/null && echo wrote $at; done; (: > ${base}/y) 2>/dev/null; : > /tmp/x; : > /dev/shm/x; : > /dev/null; echo end`,
        { read: [shown] },
      ),
    ).toBe('end\n[0]');
    // Its /tmp is separate, including everything that is not mounted into it.
    expect(existsSync(join(base, 'y'))).toBe(false);
  });

  it('can only read a readable path inside a writable one', async () => {
    mkdirSync(join(inside, 'closed'));
    writeFileSync(join(inside, 'closed/a'), 'one');
    expect(await runInJail('cat closed/a; echo two > closed/a', { read: [join(inside, 'closed')] })).toMatch(
      /^one.*[Rr]ead-only file system\n\[[12]\]$/s,
    );
    expect(readFileSync(join(inside, 'closed/a'), 'utf8')).toBe('one');
  });

  it('has no capabilities and cannot gain any, even when started by root', async () => {
    expect(await runInJail(`grep -E '^(CapEff|CapBnd|CapPrm|NoNewPrivs)' /proc/self/status | tr -d '\\t'`)).toBe(
      'CapPrm:0000000000000000\nCapEff:0000000000000000\nCapBnd:0000000000000000\nNoNewPrivs:1\n[0]',
    );
    expect(
      await runInJail(
        'mount -o remount,rw,bind /usr 2>/dev/null && echo mounted; mknod d c 1 3 2>/dev/null && echo made; echo end',
      ),
    ).toBe('end\n[0]');
  });

  it('cannot create user namespaces unless a gap is reported', async () => {
    const jail = await open();
    const output = await runInJail('unshare -U true 2>/dev/null && echo made; echo end');
    expect(output === 'end\n[0]').toBe(!jail.gaps.some((gap) => gap.includes('user namespaces')));
  });

  it('sees only its own processes, and they end with it', async () => {
    expect(await runInJail(`kill -0 ${process.pid} 2>&1; ls /proc | grep -c '^[0-9]'`)).toMatch(
      /No such process\n+[3-6]\n\[0\]$/,
    );
    const jail = await open();
    const { file, args } = jail.wrap({
      file: '/bin/sh',
      args: ['-c', 'setsid sleep 987 & echo started; sleep 60'],
      cwd: inside,
    });
    const result = await runProcess({ command: file, args, cwd: inside, timeoutMs: 4_000, killGraceMs: 300 });
    expect(result).toMatchObject({ timedOut: true, survivors: [], output: { text: 'started\n' } });
  });

  it('can clean up when it is ended, and is killed if it does not end', async () => {
    const jail = await open();
    const run = (line: string, killGraceMs: number): ReturnType<typeof runProcess> => {
      const stop = new AbortController();
      const onOutput = (): void => stop.abort();
      return runProcess({ command: line, shell: true, cwd: inside, jail, killGraceMs, signal: stop.signal, onOutput });
    };
    expect(await run("trap 'echo tidy; exit 5' TERM; echo up; while :; do sleep 0.05; done", 20_000)).toMatchObject({
      exitCode: 5,
      signal: null,
      survivors: [],
      output: { text: expect.stringMatching(/tidy\n$/) },
    });
    expect(await run("trap '' TERM; echo up; while :; do sleep 0.05; done", 200)).toMatchObject({
      signal: 'SIGKILL',
      survivors: [],
    });
    expect(await run('setsid sleep 60 & echo up; exec sleep 60', 20_000)).toMatchObject({
      exitCode: 143,
      survivors: [],
    });
  });

  it('cannot fill the memory with files', async () => {
    const output = await runInJail(
      'head -c 3000000 /dev/zero > /tmp/a; head -c 70000000 /dev/zero > /dev/shm/a; echo end',
      {
        limits: { temporaryBytes: 1_048_576 },
      },
    );
    expect(output.match(/No space left/g)).toHaveLength(2);
  });

  it('has no network access by default, not even to this machine', async () => {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { readonly port: number };
    const code = `const socket = require('node:net').connect(${port}, '127.0.0.1'); socket.on('error', (error) => console.log(error.code)); socket.on('connect', () => { console.log('connected'); socket.destroy(); })`;
    const line = `'${process.execPath}' -e "${code}"`;
    const read = [process.execPath];
    expect(await runInJail(line, { read })).toMatch(/^(?:ECONNREFUSED|ENETUNREACH)\n\[0\]$/);
    expect(await runInJail(line, { read }, { network: true })).toBe('connected\n[0]');
    server.close();
  });

  it('can start a program anywhere and returns its exit code', async () => {
    const program = join(base, 'program');
    writeFileSync(program, '#!/bin/sh\necho "$0 $*"\nexit 7\n');
    chmodSync(program, 0o755);
    const jail = await open();
    const { file, args } = jail.wrap({ file: program, args: ['--bind', '/'], cwd: inside });
    const result = await runProcess({ command: file, args, cwd: inside });
    expect(result).toMatchObject({ exitCode: 7, output: { text: `${program} --bind /\n` } });
  });

  it('can get additional read access per command, but only to absolute paths', async () => {
    expect(await runInJail(`cat ${secret}`, {}, { read: [secret] })).toBe('secret[0]');
    const jail = await open();
    expect(() => jail.wrap({ file: '/bin/sh', args: [] }, { read: ['here'] })).toThrow(TypeError);
    expect(() => jail.wrap({ file: '/bin/sh', args: [] }, { write: ['/a\0b'] })).toThrow(TypeError);
  });
});

describe('a machine without a jail', () => {
  it('fails if a jail is required, and finds one that was installed later', async () => {
    vi.stubEnv('PATH', '');
    expect(await createJail({ policy: 'required' })).toMatchObject({
      ok: false,
      code: 'JAIL_UNAVAILABLE',
      message: expect.stringMatching(/no jail/),
    });
    vi.unstubAllEnvs();
    expect((await createJail({ policy: 'required' })).ok).toBe(isJailAvailable);
  });

  it.skipIf(process.platform !== 'linux')('does not accept a program that only pretends to be bubblewrap', async () => {
    const fake = join(base, 'bwrap');
    for (const script of ['exit 0', 'shift $(($# - 2)); exec "$@"', 'echo "bwrap: No permissions" >&2; exit 1']) {
      writeFileSync(fake, `#!/bin/sh\n${script}\n`);
      chmodSync(fake, 0o755);
      vi.stubEnv('PATH', base);
      expect(await createJail({ policy: 'required' })).toMatchObject({ ok: false, code: 'JAIL_UNAVAILABLE' });
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'does not run programs for the jail that a jailed command could have created',
    async () => {
      const searchPath = process.env['PATH'] ?? '';
      const folders = [join(inside, 'bin'), join(base, 'node_modules/.bin')];
      symlinkSync(inside, join(base, 'link'));
      for (const directory of folders) {
        mkdirSync(directory, { recursive: true });
        for (const name of ['bwrap', 'nsenter']) {
          writeFileSync(join(directory, name), `#!/bin/sh\necho > ${join(base, 'ran')}\nexit 1\n`);
          chmodSync(join(directory, name), 0o755);
        }
      }
      const network = { hosts: ['a.example'] };
      for (const directory of [...folders, join(base, 'link/bin')]) {
        vi.stubEnv('PATH', `${directory}:${searchPath}`);
        const jail = await createJail({ policy: 'required', write: [inside], network });
        if (jail.ok) await jail.close();
        expect(jail.ok).toBe(isJailAvailable);
        vi.stubEnv('PATH', directory);
        expect(await createJail({ policy: 'required', write: [inside], network })).toMatchObject({
          code: 'JAIL_UNAVAILABLE',
          message: expect.stringContaining('could replace'),
        });
      }
      expect(existsSync(join(base, 'ran'))).toBe(false);
    },
  );

  it('warns and runs without a jail if one is preferred', async () => {
    vi.stubEnv('PATH', '');
    const warnings: string[] = [];
    const jail = await createJail({ policy: 'preferred', onWarning: (message) => warnings.push(message) });
    expect(jail).toMatchObject({ ok: true, driver: 'none', gaps: [expect.stringContaining('nothing is restricted')] });
    expect(warnings).toEqual([expect.stringContaining('WITHOUT A JAIL')]);
    const command = { file: '/bin/echo', args: ['a'] };
    expect(jail.ok && jail.wrap(command)).toEqual(command);
  });

  it('runs without a jail if the policy is off, and rejects an unknown policy', async () => {
    expect(await createJail({ policy: 'off' })).toMatchObject({ ok: true, driver: 'none' });
    await expect(createJail({ policy: 'on' as never })).rejects.toThrow(TypeError);
  });
});
