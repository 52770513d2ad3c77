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

/** What a shell in the jail says, and how it ends. */
async function say(line: string, options: Partial<JailOptions> = {}, more?: JailAccess): Promise<string> {
  const jail = await open(options);
  const { file, args } = jail.wrap({ file: '/bin/sh', args: ['-c', line], cwd: inside }, more);
  const result = await runProcess({ command: file, args, cwd: inside, timeoutMs: 20_000 });
  return `${result.output.text}[${result.exitCode}]`;
}

describe.skipIf(!isJailAvailable)('a jailed command', () => {
  it('works in its folder and sees nothing around it', async () => {
    expect(await say('echo hello > a; cat a; pwd')).toBe(`hello\n${inside}\n[0]`);
    expect(readFileSync(join(inside, 'a'), 'utf8')).toBe('hello\n');
    expect(await say(`cat ${secret}; ls ..; ls /home /root /etc/passwd 2>&1 | grep -c 'No such'`)).toBe(
      `cat: ${secret}: No such file or directory\ninside\n3\n[0]`,
    );
  });

  it.each(['/proc/self/root', '/proc/1/root', '/proc/1/cwd/..'])('finds no way out by %s', async (way) => {
    expect(await say(`cat ${way}${secret} || cat ${way}/secret.txt`)).toContain('[1]');
  });

  it('sees nothing at a path that is hidden, and changes nothing there', async () => {
    mkdirSync(join(inside, 'keys'));
    writeFileSync(join(inside, 'keys/id'), 'secret');
    writeFileSync(join(inside, '.env'), 'secret');
    const hidden = [join(inside, '.env'), join(inside, 'keys'), join(inside, 'missing')];
    const said = await say(
      'cat .env; ls -A keys; echo x > .env; echo x > keys/id; mv .env a; mv keys b; echo end',
      {},
      { hidden },
    );
    expect(said).not.toContain('secret');
    expect(said).toMatch(/end\n\[0\]$/);
    expect([readFileSync(join(inside, '.env'), 'utf8'), readFileSync(join(inside, 'keys/id'), 'utf8')]).toEqual([
      'secret',
      'secret',
    ]);
  });

  it('finds no way out by links that were there before it, and makes none by hard links', async () => {
    symlinkSync(secret, join(inside, 'link'));
    symlinkSync('..', join(inside, 'up'));
    linkSync(secret, join(base, 'other'));
    expect(await say('cat link; cat up/secret.txt; ln /usr/bin/env here; echo end')).toMatch(
      /No such file.*\n.*No such file.*\n.*ln: .*\nend\n\[0\]$/,
    );
  });

  it('is shown nothing by links that another command has made in place of what is in view', async () => {
    symlinkSync('..', join(inside, 'build'));
    symlinkSync('..', join(inside, 'up'));
    const line = 'cat ../secret.txt; (echo changed > ../secret.txt) 2>/dev/null; ls ..';
    const view = { write: [inside, join(inside, 'build/')], read: [join(inside, 'up')] };
    expect(await say(line, view)).toMatch(/No such file or directory\ninside\n(?:secret.txt\n)?\[0\]$/);
    expect(readFileSync(secret, 'utf8')).toBe('secret');
  });

  it('writes nowhere else, not even into what it may read or into what holds its mounts', async () => {
    const shown = join(base, 'shown');
    mkdirSync(shown);
    expect(
      await say(
        `for at in /usr ${shown} / /dev /proc/sys/kernel; do (: > $at/x) 2>/dev/null && echo wrote $at; done; (: > ${base}/y) 2>/dev/null; : > /tmp/x; : > /dev/shm/x; : > /dev/null; echo end`,
        { read: [shown] },
      ),
    ).toBe('end\n[0]');
    // Its /tmp is its own, and so is everything in there that is not in view.
    expect(existsSync(join(base, 'y'))).toBe(false);
  });

  it('may only read what lies deeper and is only read', async () => {
    mkdirSync(join(inside, 'closed'));
    writeFileSync(join(inside, 'closed/a'), 'one');
    expect(await say('cat closed/a; echo two > closed/a', { read: [join(inside, 'closed')] })).toMatch(
      /^one.*[Rr]ead-only file system\n\[[12]\]$/s,
    );
    expect(readFileSync(join(inside, 'closed/a'), 'utf8')).toBe('one');
  });

  it('has no capability and gets none, whoever starts it', async () => {
    expect(await say(`grep -E '^(CapEff|CapBnd|CapPrm|NoNewPrivs)' /proc/self/status | tr -d '\\t'`)).toBe(
      'CapPrm:0000000000000000\nCapEff:0000000000000000\nCapBnd:0000000000000000\nNoNewPrivs:1\n[0]',
    );
    expect(
      await say(
        'mount -o remount,rw,bind /usr 2>/dev/null && echo mounted; mknod d c 1 3 2>/dev/null && echo made; echo end',
      ),
    ).toBe('end\n[0]');
  });

  it('makes no user namespace of its own, where that is said', async () => {
    const jail = await open();
    const said = await say('unshare -U true 2>/dev/null && echo made; echo end');
    expect(said === 'end\n[0]').toBe(!jail.gaps.some((gap) => gap.includes('user namespaces')));
  });

  it('is alone with its processes, and they end with it', async () => {
    expect(await say(`kill -0 ${process.pid} 2>&1; ls /proc | grep -c '^[0-9]'`)).toMatch(
      /No such process\n+[3-6]\n\[0\]$/,
    );
    const jail = await open();
    const { file, args } = jail.wrap({
      file: '/bin/sh',
      args: ['-c', 'setsid sleep 987 & echo started; sleep 60'],
      cwd: inside,
    });
    const result = await runProcess({ command: file, args, cwd: inside, timeoutMs: 1_000, killGraceMs: 300 });
    expect(result).toMatchObject({ timedOut: true, survivors: [], output: { text: 'started\n' } });
  });

  it('may tidy up when it is ended, and is killed when it does not', async () => {
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

  it('fills no memory with files', async () => {
    const said = await say('head -c 3000000 /dev/zero > /tmp/a; head -c 70000000 /dev/zero > /dev/shm/a; echo end', {
      limits: { temporaryBytes: 1_048_576 },
    });
    expect(said.match(/No space left/g)).toHaveLength(2);
  });

  it('reaches no network, not even this machine, unless it is opened', async () => {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { readonly port: number };
    const code = `const socket = require('node:net').connect(${port}, '127.0.0.1'); socket.on('error', (error) => console.log(error.code)); socket.on('connect', () => { console.log('connected'); socket.destroy(); })`;
    const line = `'${process.execPath}' -e "${code}"`;
    const read = [process.execPath];
    expect(await say(line, { read })).toMatch(/^(?:ECONNREFUSED|ENETUNREACH)\n\[0\]$/);
    expect(await say(line, { read }, { network: true })).toBe('connected\n[0]');
    server.close();
  });

  it('starts a program from anywhere, and tells of its end', async () => {
    const program = join(base, 'program');
    writeFileSync(program, '#!/bin/sh\necho "$0 $*"\nexit 7\n');
    chmodSync(program, 0o755);
    const jail = await open();
    const { file, args } = jail.wrap({ file: program, args: ['--bind', '/'], cwd: inside });
    const result = await runProcess({ command: file, args, cwd: inside });
    expect(result).toMatchObject({ exitCode: 7, output: { text: `${program} --bind /\n` } });
  });

  it('takes more into view for one command, and no path that is not absolute', async () => {
    expect(await say(`cat ${secret}`, {}, { read: [secret] })).toBe('secret[0]');
    const jail = await open();
    expect(() => jail.wrap({ file: '/bin/sh', args: [] }, { read: ['here'] })).toThrow(TypeError);
    expect(() => jail.wrap({ file: '/bin/sh', args: [] }, { write: ['/a\0b'] })).toThrow(TypeError);
  });
});

describe('a machine without a jail', () => {
  it('runs nothing where a jail is required, and finds one that has come since', async () => {
    vi.stubEnv('PATH', '');
    expect(await createJail({ policy: 'required' })).toMatchObject({
      ok: false,
      code: 'JAIL_UNAVAILABLE',
      message: expect.stringMatching(/no jail/),
    });
    vi.unstubAllEnvs();
    expect((await createJail({ policy: 'required' })).ok).toBe(isJailAvailable);
  });

  it.skipIf(process.platform !== 'linux')('takes no program for a jail that only claims to be one', async () => {
    const fake = join(base, 'bwrap');
    for (const script of ['exit 0', 'shift $(($# - 2)); exec "$@"', 'echo "bwrap: No permissions" >&2; exit 1']) {
      writeFileSync(fake, `#!/bin/sh\n${script}\n`);
      chmodSync(fake, 0o755);
      vi.stubEnv('PATH', base);
      expect(await createJail({ policy: 'required' })).toMatchObject({ ok: false, code: 'JAIL_UNAVAILABLE' });
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'runs no program for the jail that whoever is kept in could have put there',
    async () => {
      const usual = process.env['PATH'] ?? '';
      const places = [join(inside, 'bin'), join(base, 'node_modules/.bin')];
      symlinkSync(inside, join(base, 'link'));
      for (const folder of places) {
        mkdirSync(folder, { recursive: true });
        for (const name of ['bwrap', 'nsenter']) {
          writeFileSync(join(folder, name), `#!/bin/sh\necho > ${join(base, 'ran')}\nexit 1\n`);
          chmodSync(join(folder, name), 0o755);
        }
      }
      const network = { hosts: ['a.example'] };
      for (const folder of [...places, join(base, 'link/bin')]) {
        vi.stubEnv('PATH', `${folder}:${usual}`);
        const jail = await createJail({ policy: 'required', write: [inside], network });
        if (jail.ok) await jail.close();
        expect(jail.ok).toBe(isJailAvailable);
        vi.stubEnv('PATH', folder);
        expect(await createJail({ policy: 'required', write: [inside], network })).toMatchObject({
          code: 'JAIL_UNAVAILABLE',
          message: expect.stringContaining('could replace'),
        });
      }
      expect(existsSync(join(base, 'ran'))).toBe(false);
    },
  );

  it('says loudly that it does without where one is preferred', async () => {
    vi.stubEnv('PATH', '');
    const warnings: string[] = [];
    const jail = await createJail({ policy: 'preferred', onWarning: (message) => warnings.push(message) });
    expect(jail).toMatchObject({ ok: true, driver: 'none', gaps: [expect.stringContaining('nothing is kept in')] });
    expect(warnings).toEqual([expect.stringContaining('WITHOUT A JAIL')]);
    const command = { file: '/bin/echo', args: ['a'] };
    expect(jail.ok && jail.wrap(command)).toEqual(command);
  });

  it('does without where it is told to, and takes no other word for it', async () => {
    expect(await createJail({ policy: 'off' })).toMatchObject({ ok: true, driver: 'none' });
    await expect(createJail({ policy: 'on' as never })).rejects.toThrow(TypeError);
  });
});
