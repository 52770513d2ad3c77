import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Jail } from '@haft/sandbox';
import type { PluginCapabilities } from '../../capabilities.ts';
import { noFileAccess, type FileAccess } from './plan-file-access.ts';
import { findReadablePackages, outermost } from '../../files/readable-packages.ts';

/** What a plugin's process is started with. */
export interface LaunchPlan {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Tells which limit of the jail the process ran into, and tidies up after it; to be called once it has ended. */
  readonly settle: Jail['settle'];
  /** Keeps the plan's locks held; called for each process that is started. */
  hold(): void;
  /** Ends one hold. */
  release(): void;
}

/** What decides it. */
export interface LaunchRequest {
  /** The plugin's folder, or the folder of its one file. */
  readonly folder: string;
  /** Files and folders that are the plugin's own, or shared by all. */
  readonly own: readonly string[];
  readonly granted: Omit<PluginCapabilities, 'fs'>;
  /** What of the granted files it reaches; default none. */
  readonly reach?: FileAccess;
  readonly jail: Jail;
  /** Megabytes that objects may take. */
  readonly heapMegabytes: number;
  /** Files of the program, beside which the packages are that plugins may import. */
  readonly bases: readonly string[];
  /** What the process runs; default: the program that loads a plugin. */
  readonly program?: string;
  /** Further words for Node. */
  readonly flags?: readonly string[];
}

const isSource = import.meta.url.endsWith('.ts');
let pluginProgram: string = fileURLToPath(new URL(isSource ? '../child/main.ts' : '../child/main.js', import.meta.url));
const [major = 0] = process.versions.node.split('.').map(Number);

/** Lets plugins' processes that are planned from now on run another build of their program. */
export function usePluginProgram(path: string): void {
  pluginProgram = path;
}

/**
 * Plans how a plugin's process is started: with Node's permission model limited to its own files, the packages it may
 * import and what was granted; with no environment but the granted variables; and in the jail, where there is one.
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
    // Before this version the network was not among what the flags limit.
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
