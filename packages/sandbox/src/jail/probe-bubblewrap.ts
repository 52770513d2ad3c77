import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { planMounts } from './plan-mounts.ts';
import { holdSeccompFilter } from './seccomp/hold-filter.ts';
import { startBubblewrap } from './start-bubblewrap.ts';

/** A bubblewrap that was seen to work. */
export interface WorkingBubblewrap {
  readonly ok: true;
  readonly file: string;
  readonly canDisableUserNamespaces: boolean;
  /** The file of the filter of system calls that it takes. */
  readonly filter: string | undefined;
}

/** Why there is none. */
export interface NoBubblewrap {
  readonly ok: false;
  readonly reason: string;
}

const probeMs = 5_000;
const witness = '/bin/cat';

let working: WorkingBubblewrap | undefined;
let probing: Promise<WorkingBubblewrap | NoBubblewrap> | undefined;

/**
 * Finds out whether bubblewrap can be used, by running a command in it that tells what it may do. What works goes on
 * working and is not tried again; what failed may have been a moment's trouble, and is.
 */
export function probeBubblewrap(): Promise<WorkingBubblewrap | NoBubblewrap> {
  if (working && working.file === findBubblewrap()) return Promise.resolve(working);
  probing ??= probe().finally(() => (probing = undefined));
  return probing;
}

async function probe(): Promise<WorkingBubblewrap | NoBubblewrap> {
  if (process.platform !== 'linux') return { ok: false, reason: 'bubblewrap is for Linux only' };
  const file = findBubblewrap();
  if (file === undefined) return { ok: false, reason: 'there is no bwrap; install bubblewrap' };
  if (!existsSync(witness)) return { ok: false, reason: `there is no ${witness} to try bwrap with` };
  let reason = '';
  const held = holdSeccompFilter();
  for (const filter of held === undefined ? [undefined] : [held, undefined])
    for (const canDisableUserNamespaces of [true, false]) {
      const answer = await tryOut(file, canDisableUserNamespaces, filter);
      if (answer === undefined) return (working = { ok: true, file, canDisableUserNamespaces, filter });
      reason ||= answer;
    }
  return { ok: false, reason };
}

/** The program, looked for as a shell would, though never in a relative folder. */
function findBubblewrap(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, 'bwrap')).find((file) => existsSync(file));
}

/** What went wrong, if anything did. */
function tryOut(
  file: string,
  canDisableUserNamespaces: boolean,
  filter: string | undefined,
): Promise<string | undefined> {
  const command = { file: witness, args: ['/proc/self/status'], cwd: '/' };
  const mounts = planMounts({ read: [], write: [], network: false }, {}, witness);
  const start = startBubblewrap({ file, filter, command, mounts, network: false, canDisableUserNamespaces });
  return new Promise((resolve) => {
    execFile(start.file, start.args, { timeout: probeMs, env: {}, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error?.killed === true) resolve(`bwrap did not answer in ${probeMs / 1_000} s; the machine may be busy`);
      else if (error) resolve(`bwrap can not be used on this machine: ${firstLine(stderr) ?? 'it failed'}`);
      else resolve(judge(stdout, filter !== undefined));
    });
  });
}

/** A command that runs is not yet one that is kept in. */
function judge(status: string, isFiltered: boolean): string | undefined {
  const valueOf = (field: string): string => new RegExp(`^${field}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '';
  const isKeptIn =
    /^0+$/.test(valueOf('CapEff')) &&
    /^0+$/.test(valueOf('CapBnd')) &&
    valueOf('NoNewPrivs') === '1' &&
    Number(valueOf('Pid')) < 10 &&
    (!isFiltered || valueOf('Seccomp') === '2');
  return isKeptIn ? undefined : 'bwrap runs commands on this machine, but leaves them rights that it should take';
}

function firstLine(text: string): string | undefined {
  return text.split('\n').find((line) => line.trim() !== '');
}
