import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hasJail } from '../fixtures/has-jail.ts';
import { runProcess } from '../processes/run-process.ts';
import { type ProcessResult } from '../processes/process-result.ts';
import { createJail } from './create-jail.ts';
import { deniedCalls, filteredCalls } from './bubblewrap/seccomp/system-calls.ts';

const isJailAvailable = await hasJail('filtered-calls.test.ts');
const jail = await createJail({ policy: 'preferred', onWarning: () => {} });
const isFiltered = isJailAvailable && jail.ok && !jail.gaps.includes('system calls are not filtered');
// Perl is the one common program that makes system calls by number.
const perl = '/usr/bin/perl';
const canCall = isFiltered && existsSync(perl);
if (isJailAvailable && !canCall)
  process.stderr.write('filtered-calls.test.ts: system calls are not tested: the filter or /usr/bin/perl is missing\n');

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'haft-calls-')));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function run(line: string, read: readonly string[] = []): Promise<ProcessResult> {
  const runJail = await createJail({ policy: 'required', write: [directory], read });
  if (!runJail.ok) throw new Error(runJail.message);
  return runProcess({ command: line, shell: true, cwd: directory, jail: runJail, timeoutMs: 60_000 });
}

describe.skipIf(!canCall)('system calls in a jail', () => {
  const column = process.arch === 'arm64' ? 1 : 0;
  const runInJail = async (calls: Readonly<Record<string, readonly (number | null)[]>>): Promise<string> => {
    const lines = Object.entries(calls).map(
      ([name, [number, ...args]]) =>
        `$! = 0; syscall(${[number, ...args, ...[0, 0, 0, 0, 0, 0].slice(args.length)].join(',')}); print "${name} ", $!+0, "\\n";`,
    );
    writeFileSync(join(directory, 'calls.pl'), lines.join('\n'));
    return (await run(`${perl} calls.pl`)).output.text;
  };

  it('return EPERM if tools do not need them', async () => {
    // Without the filter, these calls would end or block the program. They need no capability, so EPERM proves the
    // filter.
    const known = Object.entries(deniedCalls).filter(([, numbers]) => numbers[column] !== null);
    const output = await runInJail(Object.fromEntries(known.map(([name, numbers]) => [name, [numbers[column]!]])));
    expect(output).toBe(known.map(([name]) => `${name} 1\n`).join(''));
  });

  it('are filtered by their arguments', async () => {
    const of = (name: keyof typeof filteredCalls): number => filteredCalls[name][column];
    expect(
      await runInJail({
        typing: [of('ioctl'), 0, 0x54_12],
        userNamespace: [of('unshare'), 0x10_00_00_00],
        childNamespace: [of('clone'), 0x10_00_00_11],
        clone3: [of('clone3')],
        vsock: [of('socket'), 40, 1],
        crypto: [of('socket'), 38, 5],
        local: [of('socket'), 1, 1],
      }),
    ).toBe('typing 1\nuserNamespace 1\nchildNamespace 1\nclone3 38\nvsock 97\ncrypto 97\nlocal 0\n');
  });
});

describe.skipIf(!isFiltered)('programs in a jail with a filter', () => {
  const has = (path: string): boolean => existsSync(path);
  it.each([
    ['a shell with pipes and children', '/bin/sh', 'seq 5 | sort -r | head -1; (echo a & wait)', '5\na\n'],
    [
      'git',
      '/usr/bin/git',
      'git init -q r && git -C r -c user.name=a -c user.email=a@b commit -q --allow-empty -m one && git -C r log --format=%s',
      'one\n',
    ],
    ['tar and gzip', '/usr/bin/tar', 'echo x > a; tar czf a.tgz a && rm a && tar xzf a.tgz && cat a', 'x\n'],
    ['a compiler', '/usr/bin/gcc', `echo 'int main(void){return 7;}' > c.c && gcc c.c -o c && ./c; echo $?`, '7\n'],
    [
      'Python',
      '/usr/bin/python3',
      `python3 -c 'import subprocess,threading,socket; t=threading.Thread(target=lambda: print(subprocess.run(["echo","hi"],capture_output=True,text=True).stdout)); t.start(); t.join()'`,
      'hi\n\n',
    ],
    [
      'make',
      '/usr/bin/make',
      `printf 'all: one two\\none two:\\n\\t@sleep 0.05; echo $@\\n' > Makefile; make -j2 -Oline | sort`,
      'one\ntwo\n',
    ],
  ])('run: %s', async (_what, needed, line, expected) => {
    if (!has(needed)) {
      process.stderr.write(`filtered-calls.test.ts: ${needed} is not installed\n`);
      return;
    }
    expect(await run(line)).toMatchObject({ exitCode: 0, output: { text: expected } });
  });

  it('run: Node with workers, children and a server', async () => {
    writeFileSync(
      join(directory, 'n.mjs'),
      `import { Worker } from 'node:worker_threads'; import { execFileSync } from 'node:child_process'; import { createServer } from 'node:http'; import { readFile } from 'node:fs/promises';
       const value = await new Promise((resolve) => new Worker('require("worker_threads").parentPort.postMessage(1)', { eval: true }).once('message', resolve));
       const server = createServer((_, response) => response.end('page')).listen(0, '127.0.0.1');
       await new Promise((resolve) => server.once('listening', resolve));
       const page = await (await fetch('http://127.0.0.1:' + server.address().port)).text();
       console.log(value, execFileSync('/bin/echo', ['child'], { encoding: 'utf8' }).trim(), page, (await readFile('n.mjs')).length > 0);
       server.close(); server.closeAllConnections();`,
    );
    const result = await run(`'${process.execPath}' n.mjs`, [process.execPath]);
    expect(result).toMatchObject({ exitCode: 0, output: { text: '1 child page true\n' } });
  });
});
