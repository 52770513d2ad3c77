import {
  canRunOverFiles,
  confine,
  createCleanEnvironment,
  findExecutable,
  runOverFiles,
  type Roots,
} from '@haft/sandbox';

let installed: Promise<string | undefined> | undefined;

/**
 * Finds the ripgrep that searches may use: that of the package `@vscode/ripgrep` where it is installed, else `rg` on the
 * search path. Looked for once. Undefined where there is none, or where files can't be handed to it.
 */
export function findRipgrep(): Promise<string | undefined> {
  installed ??= canRunOverFiles ? look() : Promise.resolve(undefined);
  return installed;
}

async function look(): Promise<string | undefined> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    const environment = createCleanEnvironment();
    return findExecutable(rgPath, environment, '/');
  } catch {
    return findExecutable('rg', createCleanEnvironment(), '/');
  }
}

const probes = new Map<string, Promise<boolean>>();

/** Whether a program is a ripgrep that runs, found out by running it, once. */
export function isRipgrep(program: string): Promise<boolean> {
  let probe = probes.get(program);
  if (probe === undefined) {
    const signal = AbortSignal.timeout(10_000);
    probe = runOverFiles({ program, args: ['--no-config', '--version'], files: [], signal, timeoutMs: 10_000 }).then(
      (run) => run.ok && run.exitCode === 0 && /^ripgrep \d/.test(run.output),
    );
    probes.set(program, probe);
  }
  return probe;
}

/**
 * Whether a program may be run: not where somebody may write who has the workspace, since what lies there is no longer known to
 * be what it was.
 */
export async function isOutOfReach(program: string, writeRoots: Roots): Promise<boolean> {
  return writeRoots !== 'unrestricted' && !(await confine(writeRoots, program)).ok;
}
