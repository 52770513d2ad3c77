import { homedir } from 'node:os';
import { delimiter, relative } from 'node:path';
import { toolError, type ToolError, type Workspace } from '@haft/core';
import type { Roots, WorkspaceJail } from '@haft/core/workspace';
import {
  createCleanEnvironment,
  createJail,
  lockTrustedPaths,
  type Environment,
  type Jail,
  type SandboxFailure,
} from '@haft/sandbox';

/** What a command is kept in, and the variables that it gets there. */
export interface CommandJail {
  readonly ok: true;
  /** Absent where commands are not to be kept in. */
  readonly jail: Jail | undefined;
  readonly env: Environment;
  /** To be called when the command has ended, or was not started at all. */
  readonly letGo: () => void;
}

const warned = new WeakSet<Workspace>();
const nothing = (): void => {};

/**
 * Opens the jail that a workspace wants for commands: its roots, the programs of the search path, and nothing else of the
 * machine. An error where one is required and can't be had: then nothing may run.
 */
export async function openCommandJail(workspace: Workspace): Promise<CommandJail | ToolError> {
  const { policy = 'off', read = [] } = workspace.jail ?? {};
  const env = createCleanEnvironment();
  if (policy === 'off') return { ok: true, jail: undefined, env, letGo: nothing };
  const write = foldersOf(workspace.writeRoots);
  const jail = await openOnce(workspace);
  if (!jail.ok)
    return toolError('SPAWN_FAILED', `the command was not run: ${jail.message}`, {
      fault: 'host',
      hint: jail.hint,
      details: { sandboxCode: jail.code },
    });
  // What is called home and temporary by the machine is not in there.
  const isElsewhere = jail.driver === 'bubblewrap';
  if (jail.driver === 'none') return { ok: true, jail, env, letGo: nothing };
  const trusted = await lockTrustedPaths(write);
  const view = {
    read: [
      ...foldersOf(workspace.readRoots),
      ...read,
      ...programFolders(env, write),
      // On the search path there may be no more than a link to it.
      process.execPath,
      ...trusted.read,
    ],
    write: [...write, ...trusted.parents],
  };
  return {
    ok: true,
    jail: {
      ...jail,
      wrap: (command) => jail.wrap(command, view),
      settle(pid) {
        trusted.release();
        return jail.settle(pid);
      },
    },
    env: isElsewhere ? createCleanEnvironment({ set: { HOME: '/tmp', TMPDIR: '/tmp' } }) : env,
    letGo: trusted.release,
  };
}

/** The way to listed hosts is opened once for a workspace, and serves all its commands; the rest costs nothing to make anew. */
const withHosts = new WeakMap<Workspace, Promise<Jail | SandboxFailure>>();
/** A workspace is never closed; when nobody has it any more, what was opened for it goes. */
const forgotten = new FinalizationRegistry<Jail>((jail) => void jail.close());

function openOnce(workspace: Workspace): Promise<Jail | SandboxFailure> {
  const known = withHosts.get(workspace);
  if (known) return known;
  // The jail is held until its workspace is gone, so nothing of it may hold that.
  const opening = open(workspace.jail, foldersOf(workspace.writeRoots), new WeakRef(workspace));
  if (typeof workspace.jail?.network !== 'object') return opening;
  withHosts.set(workspace, opening);
  const forget = (): void => void withHosts.delete(workspace);
  // What failed may be there the next time.
  opening.then((jail) => (jail.ok && jail.driver !== 'none' ? forgotten.register(workspace, jail) : forget()), forget);
  return opening;
}

function open(
  { policy, network = false, limits = {} }: WorkspaceJail = { policy: 'off' },
  write: readonly string[],
  workspace: WeakRef<Workspace>,
): Promise<Jail | SandboxFailure> {
  return createJail({
    policy,
    write,
    network,
    limits,
    onWarning(message) {
      const warning = workspace.deref();
      if (!warning || warned.has(warning)) return;
      warning.logger.warn(`bash: ${message}`);
      warned.add(warning);
    },
  });
}

/** Folders that some roots open. */
export function foldersOf(roots: Roots): readonly string[] {
  return roots === 'unrestricted' ? ['/'] : roots;
}

/** Where programs are that a person has installed; never the home directory itself, nor what is above it. */
export function programFolders(env: Environment, write: readonly string[]): readonly string[] {
  const home = homedir();
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !contains(folder, home) && !write.some((root) => contains(root, folder)));
}

function contains(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below === '' || !/^\.\.(?:[\\/]|$)/.test(below);
}
