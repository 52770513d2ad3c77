import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Jail } from '@haft/sandbox';
import type { PluginCapabilities } from '../../capabilities.ts';
import { noFileAccess, type FileAccess } from './plan-file-access.ts';
import { findReadablePackages, outermost } from '../../files/readable-packages.ts';

/** How to start a plugin's process. */
export interface LaunchPlan {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /**
   * Returns the limit of the jail that the process reached, and releases its resources. Call it once the process has
   * ended.
   */
  readonly settle: Jail['settle'];
  /** Keeps the locks of the plan. Called for each process that starts. */
  hold(): void;
  /** Undoes one call of `hold`. */
  release(): void;
}

/** The input of a launch plan. */
export interface LaunchRequest {
  /** The plugin's folder or, for a single file, its parent folder. */
  readonly folder: string;
  /** Files and folders of the plugin, and those that all plugins share. */
  readonly own: readonly string[];
  readonly granted: Omit<PluginCapabilities, 'fs'>;
  /** The granted files that the process may access. Default: none. */
  readonly reach?: FileAccess;
  readonly jail: Jail;
  /** Heap limit in megabytes. */
  readonly heapMegabytes: number;
  /** Files of the program, whose locations determine where the packages are that plugins may import. */
  readonly bases: readonly string[];
  /** The program to run. Default: the one that loads a plugin. */
  readonly program?: string;
  /** Further command-line flags for Node. */
  readonly flags?: readonly string[];
}

const isSource = import.meta.url.endsWith('.ts');
let pluginProgram: string = fileURLToPath(
  new URL(isSource ? '../child/plugin-program.ts' : '../child/plugin-program.js', import.meta.url),
);
const [major = 0] = process.versions.node.split('.').map(Number);

/** Sets the program for later launch plans, for example to another build of it. */
export function usePluginProgram(path: string): void {
  pluginProgram = path;
}

/**
 * Plans how to start a plugin's process. Node's permission model limits it to its own files, the packages it may import
 * and the granted files. Its environment contains only the granted variables. It runs in the jail, if there is one.
 */
export function planLaunch(request: LaunchRequest): LaunchPlan {
  const { folder, granted, jail, heapMegabytes, bases, program = pluginProgram } = request;
  const { read: readable, write, closed, hidden, release } = request.reach ?? noFileAccess;
  const read = outermost([...request.own.map(realIfThere), ...readable, ...findReadablePackages(bases)]);
  const network = (granted.hosts ?? []).length > 0;
  const flags = [
    '--permission',
    ...[...read, ...write].map((path) => `--allow-fs-read=${path}`),
    ...write.map((path) => `--allow-fs-write=${path}`),
    ...(granted.exec === true ? ['--allow-child-process'] : []),
    // Before this version, these flags did not limit the network.
    ...(network && major >= 25 ? ['--allow-net'] : []),
    `--max-old-space-size=${heapMegabytes}`,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    '--no-addons',
    ...(request.flags ?? []),
    ...(isSource ? ['--conditions=@haft/source'] : []),
  ];
  const plain = { file: process.execPath, args: [...flags, program], cwd: folder };
  const { file, args } = jail.wrap(plain, { read: [...read, ...closed], write, hidden, network });
  let holders = 1;
  return {
    command: file,
    args,
    env: environment(granted.env ?? []),
    cwd: folder,
    settle: (pid) => jail.settle(pid),
    hold() {
      holders += 1;
    },
    release() {
      holders -= 1;
      if (holders === 0) release();
    },
  };
}

function environment(names: readonly string[]): Readonly<Record<string, string>> {
  const given = ['TZ', 'LANG', ...names].map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(given.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

function realIfThere(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
