import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findProgramOutsideJail } from './find-program-outside-jail.ts';
import { planMounts } from './plan-bubblewrap-mounts.ts';
import { storeSeccompFilter } from './seccomp/store-filter.ts';
import { countsByNamespace, startBubblewrap } from './start-bubblewrap.ts';

/** A tested bubblewrap. */
export interface WorkingBubblewrap {
  readonly ok: true;
  readonly file: string;
  readonly canDisableUserNamespaces: boolean;
  /** The file with the seccomp filter that it accepts. */
  readonly filter: string | undefined;
  /** The process limits that were tested successfully. */
  readonly enforced: EnforcedLimits;
}

/** The limits that take effect on a command. */
export interface EnforcedLimits {
  readonly memory: boolean;
  readonly processes: boolean;
  readonly files: boolean;
}

/** The reason why bubblewrap is not available. */
export interface NoBubblewrap {
  readonly ok: false;
  readonly reason: string;
}

const probeMs = 5_000;
const probeCommand = '/bin/cat';
const limits = { memoryBytes: 1_073_741_824, processes: 512, fileBytes: 1_073_741_824 } as const;
const temporaryBytes = 1_048_576;

let workingBubblewrap: WorkingBubblewrap | undefined;
const pendingProbes = new Map<string, Promise<WorkingBubblewrap | NoBubblewrap>>();

/**
 * Tests bubblewrap by running a command that reports its own restrictions. Success is remembered; failures are tested
 * again, because they may be temporary.
 *
 * @param writable - paths that jailed commands may write; no bubblewrap in them is trusted.
 */
export async function probeBubblewrap(writable: readonly string[]): Promise<WorkingBubblewrap | NoBubblewrap> {
  if (process.platform !== 'linux') return { ok: false, reason: 'bubblewrap requires Linux' };
  const found = findProgramOutsideJail('bwrap', writable);
  if ('reason' in found) return { ok: false, reason: `${found.reason}; install bubblewrap` };
  const { file } = found;
  if (workingBubblewrap?.file === file) return workingBubblewrap;
  const probe = pendingProbes.get(file) ?? probeFile(file).finally(() => pendingProbes.delete(file));
  pendingProbes.set(file, probe);
  return probe;
}

async function probeFile(file: string): Promise<WorkingBubblewrap | NoBubblewrap> {
  if (!existsSync(probeCommand))
    return { ok: false, reason: `${probeCommand} is missing, which is needed to test bwrap` };
  let reason = '';
  const storedFilter = storeSeccompFilter();
  for (const filter of storedFilter === undefined ? [undefined] : [storedFilter, undefined])
    for (const canDisableUserNamespaces of [true, false]) {
      const result = await test(file, canDisableUserNamespaces, filter);
      if (typeof result !== 'string')
        return (workingBubblewrap = { ok: true, file, canDisableUserNamespaces, filter, enforced: result });
      reason ||= result;
    }
  return { ok: false, reason };
}

/** Returns the failure, or the limits that took effect. */
function test(
  file: string,
  canDisableUserNamespaces: boolean,
  filter: string | undefined,
): Promise<string | EnforcedLimits> {
  const command = { file: probeCommand, args: ['/proc/self/status', '/proc/self/limits'], cwd: '/' };
  const mounts = planMounts({ read: [], write: [], hidden: [], network: false }, temporaryBytes, probeCommand);
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
      if (error?.killed === true) resolve(`bwrap did not respond within ${probeMs / 1_000} s; the machine may be busy`);
      else if (error) resolve(`bwrap does not work on this machine: ${firstLine(stderr) ?? 'it failed'}`);
      else resolve(readLimits(stdout, filter !== undefined));
    });
  });
}

/** Checks that the command was really restricted. */
function readLimits(status: string, isFiltered: boolean): string | EnforcedLimits {
  const valueOf = (field: string): string => new RegExp(`^${field}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '';
  const isRestricted =
    /^0+$/.test(valueOf('CapEff')) &&
    /^0+$/.test(valueOf('CapBnd')) &&
    valueOf('NoNewPrivs') === '1' &&
    Number(valueOf('Pid')) < 10 &&
    (!isFiltered || valueOf('Seccomp') === '2');
  if (!isRestricted) return 'bwrap runs commands on this machine, but does not remove all privileges';
  const limitOf = (name: string): number =>
    Number(new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  return {
    memory: limitOf('Max data size') <= limits.memoryBytes,
    // The kernel does not count processes of root.
    processes: countsByNamespace() && process.getuid?.() !== 0 && limitOf('Max processes') <= limits.processes,
    // Shells count in blocks of 512 or 1,024 bytes.
    files: limitOf('Max file size') <= limits.fileBytes * 2,
  };
}

function firstLine(text: string): string | undefined {
  return text.split('\n').find((line) => line.trim() !== '');
}
