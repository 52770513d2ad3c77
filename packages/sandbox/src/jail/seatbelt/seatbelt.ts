import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { OpenDriver } from '../contract/jail-driver.ts';
import { createLimiter } from '../commands/limited-command.ts';
import type { JailCommand, JailAccess } from '../contract/jail.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

const program = '/usr/bin/sandbox-exec';
const probeMs = 5_000;

/** The jail of macOS: a Seatbelt profile, which processes inherit. */
export const openSeatbelt: OpenDriver = async (limits) => {
  if (!existsSync(program)) return { ok: false, reason: `there is no ${program}` };
  const reason = await probe();
  if (reason !== undefined) return { ok: false, reason };
  const { temporaryBytes: _none, ...kept } = limits;
  const limiter = await createLimiter(kept);
  return {
    ok: true,
    driver: 'seatbelt',
    gaps: [
      'other processes of the machine stay alive beside the command',
      'the size of temporary files is not limited',
      ...limiter.unenforced,
    ],
    wrap: (command, view) => wrap(limiter.wrap(command), view),
    settle: (pid) => limiter.settle(pid),
  };
};

function wrap(command: JailCommand, view: Required<JailAccess>): JailCommand {
  const real = {
    read: view.read.flatMap(realOf),
    write: view.write.flatMap(realOf),
    hidden: view.hidden.flatMap(realOf),
    network: view.network,
  };
  const profile = seatbeltProfile(real, realpathSync(command.file));
  const { isShellLine: _ours, ...kept } = command;
  return { ...kept, file: program, args: ['-p', profile, command.file, ...command.args] };
}

/** Profiles are about real paths: /tmp, for one, is none. */
function realOf(path: string): readonly string[] {
  if (!isAbsolute(path) || path.includes('\0'))
    throw new TypeError(`a jail's view has absolute paths, not ${JSON.stringify(path)}`);
  return existsSync(path) ? [realpathSync(path)] : [];
}

/** Runs a command that has to end well, and one that has to see nothing. */
async function probe(): Promise<string | undefined> {
  const nothing = { read: [], write: [], hidden: [], network: false };
  const isWell = async (file: string, args: readonly string[]): Promise<boolean> => {
    const wrapped = wrap({ file, args }, nothing);
    return new Promise((resolve) => {
      execFile(wrapped.file, wrapped.args, { timeout: probeMs, env: {}, cwd: '/' }, (error) => resolve(error === null));
    });
  };
  if (!(await isWell('/bin/sh', ['-c', 'exit 0']))) return 'sandbox-exec can not be used on this machine';
  if (await isWell('/bin/ls', ['/Users'])) return 'sandbox-exec runs commands, but keeps nothing from them';
  return undefined;
}
