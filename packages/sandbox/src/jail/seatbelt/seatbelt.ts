import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { OpenDriver } from '../contract/jail-driver.ts';
import { createLimiter } from '../commands/limit-jailed-command.ts';
import type { JailCommand, JailAccess } from '../contract/jail.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

const program = '/usr/bin/sandbox-exec';
const probeMs = 5_000;

/** Opens the jail of macOS: a Seatbelt profile, which child processes inherit. */
export const openSeatbelt: OpenDriver = async (limits) => {
  if (!existsSync(program)) return { ok: false, reason: `${program} is missing` };
  const reason = await probe();
  if (reason !== undefined) return { ok: false, reason };
  const { temporaryBytes: _none, ...rest } = limits;
  const limiter = await createLimiter(rest);
  return {
    ok: true,
    driver: 'seatbelt',
    gaps: [
      'processes are not isolated from other processes of the machine',
      'the size of temporary files is not limited',
      ...limiter.unenforced,
    ],
    wrap: (command, view) => wrap(limiter.wrap(command), view),
    settle: (pid) => limiter.settle(pid),
  };
};

function wrap(command: JailCommand, view: Required<JailAccess>): JailCommand {
  const real = {
    read: view.read.flatMap(toRealPaths),
    write: view.write.flatMap(toRealPaths),
    hidden: view.hidden.flatMap(toRealPaths),
    network: view.network,
  };
  const profile = seatbeltProfile(real, realpathSync(command.file));
  const { isShellLine: _ours, ...rest } = command;
  return { ...rest, file: program, args: ['-p', profile, command.file, ...command.args] };
}

/** Resolves a path, because profiles match real paths only; /tmp, for example, is a link. */
function toRealPaths(path: string): readonly string[] {
  if (!isAbsolute(path) || path.includes('\0'))
    throw new TypeError(`${JSON.stringify(path)} is not an absolute path (jails require absolute paths)`);
  return existsSync(path) ? [realpathSync(path)] : [];
}

/** Tests the jail with a command that must succeed and one that must not see anything. */
async function probe(): Promise<string | undefined> {
  const nothing = { read: [], write: [], hidden: [], network: false };
  const succeeds = async (file: string, args: readonly string[]): Promise<boolean> => {
    const wrapped = wrap({ file, args }, nothing);
    return new Promise((resolve) => {
      execFile(wrapped.file, wrapped.args, { timeout: probeMs, env: {}, cwd: '/' }, (error) => resolve(error === null));
    });
  };
  if (!(await succeeds('/bin/sh', ['-c', 'exit 0']))) return 'sandbox-exec does not work on this machine';
  if (await succeeds('/bin/ls', ['/Users'])) return 'sandbox-exec runs commands, but does not restrict them';
  return undefined;
}
