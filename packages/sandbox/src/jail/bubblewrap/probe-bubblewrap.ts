import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findSystemProgram } from './find-system-program.ts';
import { planMounts } from './plan-mounts.ts';
import { holdSeccompFilter } from './seccomp/hold-filter.ts';
import { countsByNamespace, startBubblewrap } from './start-bubblewrap.ts';

/** A bubblewrap that was seen to work. */
export interface WorkingBubblewrap {
  readonly ok: true;
  readonly file: string;
  readonly canDisableUserNamespaces: boolean;
  /** The file of the filter of system calls that it takes. */
  readonly filter: string | undefined;
  /** Which limits of single processes were seen to hold. */
  readonly enforced: EnforcedLimits;
}

/** Limits that a command has which was given all of them. */
export interface EnforcedLimits {
  readonly memory: boolean;
  readonly processes: boolean;
  readonly files: boolean;
}

/** Why there is none. */
export interface NoBubblewrap {
  readonly ok: false;
  readonly reason: string;
}

const probeMs = 5_000;
const witness = '/bin/cat';
const limits = { memoryBytes: 1_073_741_824, processes: 512, fileBytes: 1_073_741_824 } as const;
const temporaryBytes = 1_048_576;

let working: WorkingBubblewrap | undefined;
const probing = new Map<string, Promise<WorkingBubblewrap | NoBubblewrap>>();

/**
 * Finds out whether bubblewrap can be used, by running a command in it that tells what it may do. What works goes on
 * working and is not tried again; what failed may have been a moment's trouble, and is.
 *
 * @param writable what those may write who are kept in: none of it is believed to be bubblewrap.
 */
export async function probeBubblewrap(writable: readonly string[]): Promise<WorkingBubblewrap | NoBubblewrap> {
  if (process.platform !== 'linux') return { ok: false, reason: 'bubblewrap is for Linux only' };
  const found = findSystemProgram('bwrap', writable);
  if ('reason' in found) return { ok: false, reason: `${found.reason}; install bubblewrap` };
  const { file } = found;
  if (working?.file === file) return working;
  const probe = probing.get(file) ?? probeFile(file).finally(() => probing.delete(file));
  probing.set(file, probe);
  return probe;
}

async function probeFile(file: string): Promise<WorkingBubblewrap | NoBubblewrap> {
  if (!existsSync(witness)) return { ok: false, reason: `there is no ${witness} to try bwrap with` };
  let reason = '';
  const held = holdSeccompFilter();
  for (const filter of held === undefined ? [undefined] : [held, undefined])
    for (const canDisableUserNamespaces of [true, false]) {
      const answer = await tryOut(file, canDisableUserNamespaces, filter);
      if (typeof answer !== 'string')
        return (working = { ok: true, file, canDisableUserNamespaces, filter, enforced: answer });
      reason ||= answer;
    }
  return { ok: false, reason };
}

/** What went wrong, or the limits that held. */
function tryOut(
  file: string,
  canDisableUserNamespaces: boolean,
  filter: string | undefined,
): Promise<string | EnforcedLimits> {
  const command = { file: witness, args: ['/proc/self/status', '/proc/self/limits'], cwd: '/' };
  const mounts = planMounts({ read: [], write: [], hidden: [], network: false }, temporaryBytes, witness);
  const start = startBubblewrap({
    file,
    filter,
    groups: undefined,
    limits,
    command,
    mounts,
    network: false,
    canDisableUserNamespaces,
  });
  return new Promise((resolve) => {
    execFile(start.file, start.args, { timeout: probeMs, env: {}, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error?.killed === true) resolve(`bwrap did not answer in ${probeMs / 1_000} s; the machine may be busy`);
      else if (error) resolve(`bwrap can not be used on this machine: ${firstLine(stderr) ?? 'it failed'}`);
      else resolve(judge(stdout, filter !== undefined));
    });
  });
}

/** A command that runs is not yet one that is kept in. */
function judge(status: string, isFiltered: boolean): string | EnforcedLimits {
  const valueOf = (field: string): string => new RegExp(`^${field}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '';
  const isKeptIn =
    /^0+$/.test(valueOf('CapEff')) &&
    /^0+$/.test(valueOf('CapBnd')) &&
    valueOf('NoNewPrivs') === '1' &&
    Number(valueOf('Pid')) < 10 &&
    (!isFiltered || valueOf('Seccomp') === '2');
  if (!isKeptIn) return 'bwrap runs commands on this machine, but leaves them rights that it should take';
  const limitOf = (name: string): number =>
    Number(new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  return {
    memory: limitOf('Max data size') <= limits.memoryBytes,
    // The kernel never counts those of the superuser.
    processes: countsByNamespace() && process.getuid?.() !== 0 && limitOf('Max processes') <= limits.processes,
    // Shells count in blocks of one of two sizes.
    files: limitOf('Max file size') <= limits.fileBytes * 2,
  };
}

function firstLine(text: string): string | undefined {
  return text.split('\n').find((line) => line.trim() !== '');
}
