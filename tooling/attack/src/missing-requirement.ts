import { spawnSync } from 'node:child_process';

import type { Requirement } from './attack.ts';

const known = new Map<Requirement, string | undefined>();

/** Returns the requirement of an attack that the machine lacks, or undefined if it lacks none. */
export function missingRequirement(requirement: Requirement): string | undefined {
  if (!known.has(requirement)) known.set(requirement, probes[requirement]());
  return known.get(requirement);
}

const probes: Readonly<Record<Requirement, () => string | undefined>> = {
  linux: () => (process.platform === 'linux' ? undefined : 'needs Linux'),
  git: () => (runs('git', ['--version']) ? undefined : 'needs git'),
  bash: () => (runs('bash', ['--version']) ? undefined : 'needs Bash'),
  jail: () => {
    const probe = [
      '--unshare-all',
      '--die-with-parent',
      '--ro-bind',
      '/',
      '/',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      'true',
    ];
    return runs('bwrap', probe) ? undefined : 'needs bubblewrap, and a machine that allows it';
  },
};

function runs(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
