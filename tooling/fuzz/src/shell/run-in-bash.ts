import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The programs that Bash ran for one line: the words of each program, once each. */
export type RanPrograms = readonly (readonly string[])[];

/** The working directory of every line, inside the jail. */
export const jailDirectory = '/work';

// Bash calls this function for names without a program, so that most lines start no process.
const driver = `
command_not_found_handle() { builtin printf '%s\\0' "$#" "$@" >> /report/all; }
export -f command_not_found_handle
export PATH=/stubs LC_ALL=C.UTF-8
ulimit -v 600000 -t 3
mapfile -d '' -t lines < /given/lines
for line in "\${lines[@]}"; do
  builtin printf '\\0\\0' >> /report/all
  # Every process of the line holds the pipe, so that reading ends with the last of them.
  exec {pipe}< <(exec /usr/bin/timeout -s KILL "$1" bash -c "$line" 9>&1 < /dev/null &> /dev/null)
  group=$!
  read -r -N 10000 -t "$2" -u $pipe printed
  kill -KILL -- -$group 2> /dev/null
  # On a busy machine the last of them may still report, and that is not what the next line runs.
  wait $group 2> /dev/null
  for ((tries = 0; tries < 100; tries += 1)); do
    kill -0 -- -$group 2> /dev/null || break
    /usr/bin/sleep 0.01
  done
  exec {pipe}<&-
done
/usr/bin/cat /report/all
`;
const stub = `#!/bin/sh
printf '%s\\0' "$(($# + 1))" "\${0##*/}" "$@" >> /report/all
`;
const stubs = ['s1', 's2'];
const maxBatchMs = 600_000;

const jail = ['--die-with-parent', '--unshare-all', '--proc', '/proc', '--dev', '/dev', '--clearenv'];

/** Returns why lines can't be run in a jail here. Returns undefined if they can. */
export function missingJail(): string | undefined {
  const probe = [...jail, '--ro-bind', '/', '/', '/bin/bash', '-c', '[ -x /usr/bin/timeout ]'];
  if (process.platform !== 'linux') return 'it needs Linux';
  return spawnSync('bwrap', probe, { stdio: 'ignore' }).status === 0
    ? undefined
    : 'it needs bubblewrap, Bash, and a machine that allows jails';
}

/**
 * Runs each line with Bash in a jail, without a network and with programs that only report their words. Ends a line that
 * runs longer than `maxLineSeconds`: many generated lines never end.
 */
export async function runInBash(lines: readonly string[], maxLineSeconds = 0.5): Promise<readonly RanPrograms[]> {
  const folder = mkdtempSync(join(tmpdir(), 'haft-fuzz-'));
  try {
    writeFileSync(join(folder, 'lines'), lines.map((line) => `${line}\0`).join(''));
    writeFileSync(join(folder, 'driver'), driver);
    for (const name of stubs) writeFileSync(join(folder, name), stub, { mode: 0o755 });
    const bound = stubs.flatMap((name) => ['--ro-bind', join(folder, name), `/stubs/${name}`]);
    const wrappers = ['bash', 'env', 'find', 'nice', 'nohup', 'setsid', 'stdbuf', 'timeout', 'xargs'];
    const shells = wrappers.flatMap((name) => ['--symlink', `/usr/bin/${name}`, `/stubs/${name}`]);
    shells.push('--symlink', '/usr/bin/dash', '/stubs/sh');
    const system = ['/usr', '/bin', '/lib', '/lib64'].flatMap((path) => ['--ro-bind-try', path, path]);
    // The working directory stays empty, so that globs do not depend on what a line wrote.
    mkdirSync(join(folder, 'empty'));
    const places = ['--tmpfs', '/tmp', '--tmpfs', '/report', '--ro-bind', join(folder, 'empty'), jailDirectory];
    const args = [...jail, ...system, ...places, '--ro-bind', folder, '/given', ...bound, ...shells];
    const run = ['--chdir', jailDirectory, '--setenv', 'HOME', homedir(), '/usr/bin/bash', '/given/driver'];
    run.push(`${maxLineSeconds}`, `${2 * maxLineSeconds}`);
    return readReport(await outputOf('bwrap', [...args, ...run]), lines.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function outputOf(program: string, args: readonly string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: maxBatchMs,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', reject);
    child.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

/** Parses the reports. A report begins with `\0\0`, then the number of words, then each word, all terminated by NUL. */
function readReport(output: Buffer, count: number): readonly RanPrograms[] {
  const items = output.toString('utf8').split('\0');
  const reports: RanPrograms[] = [];
  let at = 0;
  while (reports.length < count && items[at] === '' && items[at + 1] === '') {
    at += 2;
    const ran = new Map<string, readonly string[]>();
    while (at < items.length && /^\d+$/.test(items[at] ?? '')) {
      const words = items.slice(at + 1, at + 1 + Number(items[at]));
      at += 1 + words.length;
      if (words.length > 0) ran.set(words.join('\0'), words);
    }
    // A report that was cut, or written by several processes at once, is parsed as far as possible.
    while (at < items.length && !(items[at] === '' && items[at + 1] === '')) at += 1;
    reports.push([...ran.values()]);
  }
  if (reports.length !== count) throw new Error(`the jail reported on ${reports.length} of ${count} lines`);
  return reports;
}
